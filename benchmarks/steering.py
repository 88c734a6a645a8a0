"""What highlights inside a pretrained model cost, beside the same model untouched, in the same run.

    python benchmarks/steering.py [--rounds 7] [--threads 1] [--pieces 1024] [--phrases 20] [--tokens 64]

A BART of 6 + 6 layers, width 512, 8 heads (greedy and with a beam of 4), and a decoder-only model of Llama's kind of 6
layers, width 512, 8 heads that share 4 keys (greedy); random weights, 20 phrases of 2 words marked among 1,024 pieces,
exactly 64 new tokens. The untouched model is another object with the same weights. Each round takes the processor time
of the untouched model and of every form in turn; shown is the median of the rounds' ratios, with the smallest and the
largest. "measured" is column while the share of attention on the marks is measured, as every summary with highlights
has it. The bar is 1.10 for both. Contrast at the logits, for models that no form reaches, stands beside them.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

BAR = 1.10
SIZE = {"vocab_size": 8000, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
FORMS = {"column": {"strength": 1.0}, "block": {"strength": 1.0}, "share": {"share": 0.3}}


def main() -> None:
    """Print a row a form."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pieces", type=int, default=1024)
    parser.add_argument("--phrases", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for title in options.only:
        make, beams = CASES[title]
        print(f"{title}: {options.pieces} pieces, {options.phrases} phrases, {options.tokens} tokens")
        show(compared(make, beams, options))


def bart() -> Any:
    import transformers

    config = transformers.BartConfig(
        **SIZE,
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        max_position_embeddings=4096,
        decoder_start_token_id=2,
    )
    return transformers.BartForConditionalGeneration(config)


def llama() -> Any:
    import transformers

    return transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            **SIZE,
            hidden_size=512,
            intermediate_size=1408,
            num_hidden_layers=6,
            num_attention_heads=8,
            num_key_value_heads=4,
            max_position_embeddings=8192,
        )
    )


CASES: dict[str, tuple[Callable[[], Any], int]] = {"bart": (bart, 1), "bart-beam-4": (bart, 4), "llama": (llama, 1)}


def compared(make: Callable[[], Any], beams: int, options: argparse.Namespace) -> dict[str, list[float]]:
    """Return the seconds of each side in each round, "untouched" first."""
    import torch

    from nutgraf.steering import Span, forms
    from nutgraf.steering.contrast import Contrast
    from nutgraf.steering.steered import Steering

    torch.manual_seed(0)
    untouched, steered = make().eval(), make().eval()
    steered.load_state_dict(untouched.state_dict())
    ids = torch.randint(5, SIZE["vocab_size"], (1, options.pieces))
    given = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    step = options.pieces // options.phrases
    spans = [[Span(place * step, place * step + 2) for place in range(options.phrases)]]
    steerings = {kind: Steering(steered, forms.make(kind, **chosen)) for kind, chosen in FORMS.items()}

    def seconds(model: Any, marking: AbstractContextManager[None], **more: Any) -> float:
        length = {"max_new_tokens": options.tokens, "min_new_tokens": options.tokens}
        began = time.process_time()
        with marking, torch.no_grad():
            model.generate(**given, **length, num_beams=beams, do_sample=False, **more)
        return time.process_time() - began

    sides: dict[str, Callable[[], float]] = {"untouched": lambda: seconds(untouched, nullcontext())}
    sides["no marks"] = lambda: seconds(steered, nullcontext())
    for kind, steering in steerings.items():
        sides[kind] = lambda steering=steering: seconds(steered, steering.marking(spans))
    column = steerings["column"]
    sides["measured"] = lambda: seconds(steered, column.marking(spans, column.gauge(spans)))
    sides["contrast"] = lambda: seconds(untouched, nullcontext(), logits_processor=[Contrast(untouched, spans, given)])
    found: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(options.rounds + 1):
        for name, side in sides.items():
            taken = side()
            if turn:  # the first round warms up
                found[name].append(taken)
    return found


def show(found: dict[str, list[float]]) -> None:
    base = found["untouched"]
    print(f"{'':<12}{'seconds':>9}{'ratio':>8}   of rounds")
    for name, taken in found.items():
        ratios = [one / other for one, other in zip(taken, base, strict=True)]
        middle = statistics.median(ratios)
        verdict = "" if name not in ("column", "measured") else "   bar met" if middle <= BAR else "   ABOVE THE BAR"
        print(
            f"{name:<12}{statistics.median(taken):>9.3f}{middle:>8.3f}   {min(ratios):.3f}–{max(ratios):.3f}{verdict}"
        )


if __name__ == "__main__":
    main()
