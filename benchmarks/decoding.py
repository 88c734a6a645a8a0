"""What writing a summary costs, beside OpenNMT-py 3.5.1, Hugging Face's BART and CTranslate2 4.8 in the same run.

    python benchmarks/decoding.py [--documents 1] [--rounds 5] [--threads 2] [--check 2]

4 + 4 layers of width 512, 8 heads, feed-forward 2,048, 50,000 words, random weights; sources of 500 words without
padding, summaries of exactly 128 words, a beam of 5, no trigram twice. Encoding is part of what is measured; loading
and converting weights is not. Each side runs in a process of its own; they take turns, and medians are shown.

- nutgraf: CopyTransformer (copy head on) in the three precisions of `decoding.precision`, without those in which torch
  is no quicker than in single precision on this processor: nutgraf would not take them by itself.
- OpenNMT-py: its CopyTransformer and its beam search, in single precision.
- BART: Hugging Face's, with fused attention, in single precision and bfloat16. It copies nothing.
- CTranslate2: OpenNMT-py's network, converted, in single precision and int8. It copies nothing.

Peers are installed under --peers; one that cannot be had is named and left out.

--check compares the hypotheses in single precision with those of the plain search in tests/decoding, on so many
documents. "processor" is the time of all threads: on a machine that others use too, compare these, with --threads 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import _opennmt
import _peers
from _sides import Side, answer, take_turns, timed
from training_step import HEADS, INNER, LAYERS, WIDTH, WORDS

ROOT = Path(__file__).resolve().parent.parent
BEAMS, SOURCE, TARGET = 5, 500, 128

Decode = Callable[[Any], Any]
"""Writes the summaries of sources [documents, SOURCE]."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=_peers.PLACE)
    parser.add_argument("--documents", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=SIDES, help="sides; all that are quick here")
    parser.add_argument("--check", type=int, default=0)
    parser.add_argument("--worker", choices=SIDES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options)
        return
    if options.check:
        check(options)
    given = ["--peers", str(options.peers), "--documents", str(options.documents)]
    chosen = options.only or [*_peers.quick_here(BY_TORCH), *BY_CTRANSLATE2]
    names = _peers.that_run(chosen, NEEDS, options.peers)
    sides = [Side(name, options.threads, given) for name in names]
    table(take_turns(sides, "decode", 1, options.rounds, peers=NEEDS), options.documents)


def table(found: Mapping[str, Mapping[str, float]], documents: int) -> None:
    """A row a side; ratios to the first."""
    first = next(iter(found.values()))
    print(f"{documents} documents: {SOURCE} → {TARGET} words, beam {BEAMS}")
    print(f"{'':<20}{'wall':>10}{'ratio':>7}{'tokens/s':>10}{'processor':>12}{'ratio':>7}")
    for side, row in found.items():
        print(
            f"{side:<20}{row['wall']:>8.2f} s{row['wall'] / first['wall']:>7.2f}"
            f"{documents * TARGET / row['wall']:>10.1f}{row['processor']:>10.2f} s"
            f"{row['processor'] / first['processor']:>7.2f}"
        )


def work(options: argparse.Namespace) -> None:
    """Decode whenever the main process asks."""
    import torch

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    for library in NEEDS.get(options.worker, ()):
        library.find(options.peers)
    decode = SIDES[options.worker](options)
    answer({"decode": lambda: timed(lambda: decode(sources(options.documents)))})


def sources(documents: int) -> Any:
    """Ids from 4 on."""
    import torch

    return torch.randint(4, WORDS, (documents, SOURCE), generator=torch.Generator().manual_seed(1))


def network() -> Any:
    """Ours."""
    import torch

    from nutgraf.model.head import heads
    from nutgraf.model.seq2seq import Config, Seq2Seq

    torch.manual_seed(0)
    config = Config(d_model=WIDTH, num_heads=HEADS, max_positions=SOURCE + 1, head=heads.choose("pointer"))
    made = Seq2Seq(config, WORDS).eval()
    with torch.no_grad():
        made.head.vocab_proj.weight.mul_(3)
    return made


def nutgraf(precision: str) -> Callable[[argparse.Namespace], Decode]:
    """Ours."""

    def side(options: argparse.Namespace) -> Decode:
        from nutgraf.decoding.search import search

        made = network()
        return lambda source: search(made, batch(source), config(precision))

    return side


def config(precision: str) -> Any:
    """The search that all do."""
    from nutgraf.decoding.search import Config

    return Config(beam_size=BEAMS, min_length=TARGET, max_length=TARGET, precision=precision)


def batch(source: Any) -> Any:
    """As our network reads it."""
    import torch

    from nutgraf.model.records import Batch, Phrases

    return Batch(source, source, torch.zeros_like(source, dtype=torch.bool), Phrases.none(), 0)


def check(options: argparse.Namespace) -> None:
    """Whether the quick search finds what the plain one finds."""
    sys.path.insert(0, str(ROOT / "tests" / "decoding"))
    import torch
    from plain_search import plain_search

    from nutgraf.decoding.search import search

    torch.set_num_threads(options.threads)
    made, read = network(), batch(sources(options.check))
    quick, plain = search(made, read, config("fp32")), plain_search(made, read, config("fp32"))
    same = sum(one[0].ids == other[0].ids for one, other in zip(quick, plain, strict=True))
    print(f"identical to the plain search: {same} of {options.check} documents")


def opennmt_network(copies: bool) -> Any:
    """OpenNMT-py's parts, put together as its `build_model` does."""
    _opennmt.leave_out()
    import torch
    from onmt.decoders import TransformerDecoder
    from onmt.encoders import TransformerEncoder
    from onmt.models.model import NMTModel
    from onmt.modules import CopyGenerator, Embeddings

    size = {"d_model": WIDTH, "heads": HEADS, "d_ff": INNER, "dropout": 0.0, "attention_dropout": 0.0}
    embeddings = [Embeddings(WIDTH, WORDS, 1, position_encoding=True, dropout=0.0) for _ in range(2)]
    encoder = TransformerEncoder(
        num_layers=LAYERS, embeddings=embeddings[0], max_relative_positions=0, relative_positions_buckets=0,
        add_qkvbias=True, **size,
    )  # fmt: skip
    decoder = TransformerDecoder(
        num_layers=LAYERS, embeddings=embeddings[1], copy_attn=copies, self_attn_type="scaled-dot-flash",
        max_relative_positions=0, relative_positions_buckets=0, aan_useffn=False, full_context_alignment=False,
        alignment_layer=None, alignment_heads=0, add_qkvbias=True, **size,
    )  # fmt: skip
    made = NMTModel(encoder, decoder)
    made.generator = CopyGenerator(WIDTH, WORDS, 1) if copies else torch.nn.Linear(WIDTH, WORDS)
    for parameter in made.parameters():
        if parameter.dim() > 1:
            torch.nn.init.xavier_uniform_(parameter)
        else:
            parameter.data.nan_to_num_().clamp_(-1, 1)
    return made.eval()


class Words(dict[str, int]):
    """A vocabulary as OpenNMT-py asks it: what is not there is 0."""

    def __missing__(self, word: str) -> int:
        return 0


def opennmt(options: argparse.Namespace) -> Decode:
    """OpenNMT-py's translator."""
    made = opennmt_network(copies=True)
    import torch
    from onmt.translate.beam_search import BeamSearch, GNMTGlobalScorer
    from onmt.translate.translator import Translator

    unknown, padding, start, end = range(4)
    translator = Translator.__new__(Translator)
    translator.model, translator.copy_attn, translator.beam_size = made, True, BEAMS
    translator.global_scorer = GNMTGlobalScorer(0.0, 0.0, "none", "none")
    translator.tgt_file_prefix, translator.report_align = False, False
    translator._tgt_vocab = Words({str(number): number for number in range(WORDS)})
    translator._tgt_vocab_len, translator._tgt_unk_idx = WORDS, unknown

    @torch.no_grad()
    def decode(source: Any) -> Any:
        documents = len(source)
        names = [list(dict.fromkeys(map(str, row))) for row in source.tolist()]
        places = [{name: place for place, name in enumerate(row, 4)} for row in names]
        one_hot = torch.zeros(documents, SOURCE, 4 + max(map(len, names)))
        for row, words in enumerate(source.tolist()):
            one_hot[row, torch.arange(SOURCE), torch.tensor([places[row][str(word)] for word in words])] = 1
        own = [argparse.Namespace(ids_to_tokens=["", "", "", "", *row]) for row in names]
        for one in own:
            one.__class__ = Sized
        strategy = BeamSearch(
            BEAMS, documents, padding, start, end, unknown, start, 1, translator.global_scorer, TARGET, TARGET, False,
            3, set(), None, 0.0, False,
        )  # fmt: skip
        read = {"src": source[:, :, None], "srclen": torch.full((documents,), SOURCE)}
        read |= {"src_map": one_hot, "src_ex_vocab": own}
        return translator._translate_batch_with_strategy(read, strategy)

    return decode


class Sized(argparse.Namespace):
    """A source's own words; as many as there are."""

    def __len__(self) -> int:
        return len(self.ids_to_tokens)


def ctranslate2(kind: str) -> Callable[[argparse.Namespace], Decode]:
    """CTranslate2 with OpenNMT-py's network."""

    def side(options: argparse.Namespace) -> Decode:
        import ctranslate2 as engine
        from ctranslate2.converters import opennmt_py

        made = opennmt_network(copies=False)
        variables = {name: value.detach().numpy() for name, value in made.state_dict().items()}
        words = ["<unk>", "<blank>", "<s>", "</s>", *map(str, range(4, WORDS))]
        settings = argparse.Namespace(enc_layers=LAYERS, dec_layers=LAYERS, heads=HEADS)
        spec = opennmt_py._get_model_spec_seq2seq(settings, variables, [words], [words], 1)
        with tempfile.TemporaryDirectory() as folder:
            spec.validate()
            spec.optimize(quantization=kind)
            spec.save(folder)
            translator = engine.Translator(
                folder, "cpu", compute_type=kind, inter_threads=1, intra_threads=options.threads
            )
        limits = {"min_decoding_length": TARGET, "max_decoding_length": TARGET, "no_repeat_ngram_size": 3}
        return lambda source: translator.translate_batch(
            [[str(word) for word in row] for row in source.tolist()], beam_size=BEAMS, **limits
        )

    return side


def bart(precision: str) -> Callable[[argparse.Namespace], Decode]:
    """Hugging Face's BART."""

    def side(options: argparse.Namespace) -> Decode:
        import torch
        from transformers import BartConfig, BartForConditionalGeneration

        settings = BartConfig(
            vocab_size=WORDS, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS,
            encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=INNER,
            decoder_ffn_dim=INNER, activation_function="relu", scale_embedding=True, max_position_embeddings=1024,
            attn_implementation="sdpa", forced_eos_token_id=None,
        )  # fmt: skip
        made = BartForConditionalGeneration(settings).eval().to(getattr(torch, precision))
        limits = {"min_new_tokens": TARGET, "max_new_tokens": TARGET, "no_repeat_ngram_size": 3}

        @torch.inference_mode()
        def decode(source: Any) -> Any:
            mask = torch.ones_like(source)
            return made.generate(input_ids=source, attention_mask=mask, num_beams=BEAMS, do_sample=False, **limits)

        return decode

    return side


BY_TORCH: Mapping[str, Callable[[argparse.Namespace], Decode]] = {
    "nutgraf fp32": nutgraf("fp32"),
    "nutgraf bf16": nutgraf("bf16"),
    "nutgraf int8": nutgraf("int8"),
    "OpenNMT-py fp32": opennmt,
    "BART fp32": bart("float32"),
    "BART bf16": bart("bfloat16"),
}
BY_CTRANSLATE2: Mapping[str, Callable[[argparse.Namespace], Decode]] = {
    "CTranslate2 fp32": ctranslate2("float32"),
    "CTranslate2 int8": ctranslate2("int8"),
}
SIDES = {**BY_TORCH, **BY_CTRANSLATE2}
CTRANSLATE2 = _peers.Library("ctranslate2", ("ctranslate2>=4.8,<5",), "from ctranslate2.converters import opennmt_py")
NEEDS = {
    "OpenNMT-py fp32": [_opennmt.OPENNMT],
    "BART fp32": [_peers.TRANSFORMERS],
    "BART bf16": [_peers.TRANSFORMERS],
    "CTranslate2 fp32": [CTRANSLATE2, _opennmt.OPENNMT],
    "CTranslate2 int8": [CTRANSLATE2, _opennmt.OPENNMT],
}
"""The libraries of peers."""

if __name__ == "__main__":
    main()
