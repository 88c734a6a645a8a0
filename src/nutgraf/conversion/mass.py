"""MASS (Song et al. 2019) in fairseq's format: a file `.pt`, and beside it the vocabulary, dict.txt.

Files of the released weights hold nothing but tensors; a checkpoint of a training has its options, too, in `args`.
Without them, heads are taken to be 64 wide, as all released ones are. MASS starts decoding with its EOS, so BOS gets
the vector of EOS here.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from torch import Tensor

from nutgraf.conversion import Converter, ForeignWeights
from nutgraf.conversion._fairseq import embeddings, layers
from nutgraf.conversion._foreign import ForeignTensors, checkpoint_in, names_in, read_pickled
from nutgraf.conversion._tokenizers import read_lines, word_pieces
from nutgraf.errors import InputError

SPECIAL = ("[PAD]", "[UNK]", "[SEP]", "[SEP]", "[SEP]")
DICTIONARY = "dict.txt"
HEAD_WIDTH = 64
LAYER = re.compile(r"encoder\.layers\.0\.")


class Mass(Converter):
    """A checkpoint of a MASS."""

    name = "MASS"
    needs = "a fairseq checkpoint of a MASS (NAME.pt) with its dict.txt beside it, or a folder with both"

    def recognizes(self, source: Path) -> bool:
        """See `Converter`."""
        path = checkpoint_in(source)
        if path is None:
            return False
        return path.with_name(DICTIONARY).is_file() or any(LAYER.match(name) for name in names_in(path).strings)

    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """See `Converter`."""
        path = checkpoint_in(source)
        assert path is not None
        if not path.with_name(DICTIONARY).is_file():
            raise InputError(f"{path} needs its vocabulary beside it, {path.with_name(DICTIONARY)}.")
        pieces = [line.rpartition(" ")[0] for line in read_lines(path.with_name(DICTIONARY))]
        tokenizer, order = word_pieces(pieces, SPECIAL, True, path.with_name(DICTIONARY))
        found = read_pickled(path)
        options = vars(found["args"]) if isinstance(found.get("args"), argparse.Namespace) else {}
        theirs = _tensors_of(found.get("model", found), path)
        counts = {part: theirs.count(rf"{part}\.layers\.(\d+)\.") for part in ("encoder", "decoder")}
        before = pieces.index("[PAD]") + 1
        tensors = embeddings(theirs, "emb_layer_norm", before, order, "encoder.embed_tokens.weight")
        tensors |= layers(theirs, counts["encoder"], counts["decoder"])
        theirs.drop("encoder.version", "decoder.version", "decoder.embed_out")
        width = tensors["source_embedding.word_embeddings.weight"].shape[1]
        settings = {
            "tokenizer.kind": "wordpiece",
            "model.d_model": width,
            "model.num_heads": int(options.get("encoder_attention_heads", max(1, width // HEAD_WIDTH))),
            "model.dropout": float(options.get("dropout", 0.1)),
            "model.max_positions": len(tensors["source_embedding.position_embeddings"]),
            "model.layer_norm_eps": 1e-5,
            **{f"model.{part}.num_layers": count for part, count in counts.items()},
            **{
                f"model.{part}.ffn_dim": len(tensors[f"{part}.layers.0.feed_forward.linear1.weight"]) for part in counts
            },
        }
        assumed = (
            () if options else (f"The file does not say how many heads there are; {settings['model.num_heads']} are.",)
        )
        return ForeignWeights("MASS", settings, tokenizer, tensors, theirs.unused, assumed)


def _tensors_of(found: Any, path: Path) -> ForeignTensors:
    """Raises InputError where there are no tensors of an encoder and a decoder."""
    tensors = {name: one for name, one in found.items() if isinstance(one, Tensor)} if isinstance(found, dict) else {}
    for part in ("encoder", "decoder"):
        if not any(re.match(rf"{part}\.layers\.0\.", name) for name in tensors):
            raise InputError(f"{path} holds no {part} of a MASS: no tensor is called {part}.layers.0….")
    return ForeignTensors(tensors, path)
