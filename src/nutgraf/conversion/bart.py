"""BART (Lewis et al. 2020) in Hugging Face's format: encoder, decoder and embeddings.

BART starts decoding with its EOS, so BOS gets the vector of EOS here, and so does `<sep>`, which BART does not know.
BART's sources begin with <s> and end with </s>; ours do not, which has to be learned.
"""

from __future__ import annotations

from pathlib import Path

from nutgraf.conversion import Converter, ForeignWeights
from nutgraf.conversion._fairseq import embeddings, layers
from nutgraf.conversion._foreign import CONFIG, ForeignTensors, model_type, need, read_config, read_folder
from nutgraf.conversion._tokenizers import read_byte_pairs, rows
from nutgraf.errors import InputError

SPECIAL = ("<pad>", "<unk>", "</s>", "</s>", "</s>")
RESERVED = 2
"""Positions that BART never uses."""


class Bart(Converter):
    """A folder of a BART."""

    name = "BART"
    needs = (
        "a Hugging Face folder of a BART (config.json, model.safetensors, tokenizer.json or vocab.json and merges.txt)"
    )

    def recognizes(self, source: Path) -> bool:
        """See `Converter`."""
        return model_type(source) == "bart"

    def read(self, source: Path, decoder: bool) -> ForeignWeights:
        """See `Converter`."""
        where, config = source / CONFIG, read_config(source)
        activation = config.get("activation_function", "gelu")
        heads = need(config, "encoder_attention_heads", where)
        if activation not in ("gelu", "relu") or config.get("decoder_attention_heads", heads) != heads:
            raise InputError(
                f"{where} says {activation!r} and {heads} and {config.get('decoder_attention_heads')} heads; gelu or "
                "relu and as many heads on both sides can be converted."
            )
        counts = {part: need(config, f"{part}_layers", where) for part in ("encoder", "decoder")}
        tokenizer, order = read_byte_pairs(source, SPECIAL)
        theirs = _plain(read_folder(source))
        tensors = embeddings(theirs, "layernorm_embedding", RESERVED, order, "shared.weight")
        tensors |= layers(theirs, counts["encoder"], counts["decoder"])
        if "final_logits_bias" in theirs:
            tensors["head.vocab_proj.bias"] += rows(theirs.take("final_logits_bias").reshape(-1), order, source)
        settings = {
            "tokenizer.kind": "subwords",
            "tokenizer.lower": False,
            "model.d_model": need(config, "d_model", where),
            "model.num_heads": heads,
            "model.dropout": float(config.get("dropout", 0.1)),
            "model.max_positions": len(tensors["source_embedding.position_embeddings"]),
            "model.layer_norm_eps": 1e-5,
            "model.embedding.scale": bool(config.get("scale_embedding", False)),
            **{f"model.{part}.num_layers": count for part, count in counts.items()},
            **{f"model.{part}.ffn_dim": need(config, f"{part}_ffn_dim", where) for part in counts},
            **{f"model.{part}.activation": activation for part in counts},
        }
        return ForeignWeights("BART", settings, tokenizer, tensors, theirs.unused)


def _plain(theirs: ForeignTensors) -> ForeignTensors:
    """Remove the prefix of models under a head, and a head that repeats the word embeddings."""
    theirs = theirs.renamed("model.", "")
    if "shared.weight" not in theirs and "encoder.embed_tokens.weight" in theirs:
        theirs = theirs.renamed("encoder.embed_tokens.", "shared.")
    theirs.drop("lm_head.weight")
    return theirs
