"""Validation loss of a small pretrained model that is trained further, by what may change in it.

    python benchmarks/fine_tuning.py [--data ../shared/data] [--out runs/fine_tuning] [--steps 3000]

A network of BART's shape (2 + 2 layers, 128 numbers a state) first learns to give abstracts of papers their titles
(acl_titles), by transformers alone. Then `nutgraf train` trains it further on 200 abstracts with a summary of one
sentence (scitldr), with each of the three presets. The loss before is that of a training whose rate is next to nothing.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from nutgraf.systems import read_preset as read
from nutgraf.training.run import train

TRAINED, VALIDATED, CONTEXT = 200, 200, 256
ROWS = (
    ("before", "bart_kpat", {"training.schedule.learning_rate": 1e-12, "training.max_steps": 1}),
    ("strengths alone", "bart_kpat", {}),
    ("adapters, strengths", "bart_kpat_lora", {"training.schedule.learning_rate": 2e-3}),
    ("all weights", "bart_kpat_all", {"training.schedule.learning_rate": 3e-4}),
)
STEPS = 200


def examples(folder: Path, split: str) -> Iterator[dict[str, Any]]:
    """Yield the examples of a corpus."""
    with lzma.open(folder / f"{split}.jsonl.xz", "rt", encoding="utf-8") as file:
        for line in file:
            one = json.loads(line)
            text = "\n".join(one.get("documents") or [part["text"] for part in one["sections"]])
            summary = one.get("summary") or one["summaries"][0]
            yield {"id": str(one["id"]), "documents": [text], "summary": summary}


def pretrain(pairs: list[dict[str, Any]], folder: Path, steps: int) -> None:
    """Train a tokenizer and a network on texts and their titles."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=6000, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    texts = (text for one in pairs for text in (one["documents"][0], one["summary"]))
    backend.train_from_iterator(texts, trainer)
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    words = PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>", pad_token="<pad>", eos_token="</s>")
    torch.manual_seed(0)
    sides = {
        f"{side}_{what}": size
        for side in ("encoder", "decoder")
        for what, size in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 512))
    }
    network = BartForConditionalGeneration(
        BartConfig(vocab_size=len(words), d_model=128, max_position_embeddings=CONTEXT, **sides)
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=steps)
    draw = random.Random(0)
    for _ in range(steps):
        some = draw.sample(pairs, 16)
        read_ = words([f" {one['documents'][0]}" for one in some], max_length=200, **PADDED)
        said = words([f" {one['summary']}" for one in some], max_length=40, **PADDED)["input_ids"]
        labels = said.masked_fill(said == words.pad_token_id, -100)
        loss = network(input_ids=read_["input_ids"], attention_mask=read_["attention_mask"], labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    network.save_pretrained(folder)
    words.save_pretrained(folder)


PADDED: dict[str, Any] = {"truncation": True, "padding": True, "return_tensors": "pt"}


def measure(model: Path, corpus: Path, out: Path, preset: str, options: dict[str, Any]) -> tuple[float, float]:
    """Train, and return the best validation loss and the minutes that it took."""
    common = {
        "model.folder": str(model),
        "truncation.source": 200,
        "truncation.target": 60,
        "training.max_steps": STEPS,
        "training.validate_every": 50,
        "training.schedule.warmup_steps": 20,
        "training.schedule.end_step": STEPS,
        "training.gradient_accumulation_steps": 1,
        "training.device": "cpu",
        "training.threads": 1,
        "training.precision": "fp32",
    }
    begun = time.perf_counter()
    outcome = train(read(preset, {**common, **options}), corpus, out)
    return float(outcome.card["scores"]["loss"]), (time.perf_counter() - begun) / 60


def main() -> None:
    """Pretrain once, train each row further, and print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, default=Path("../shared/data"))
    asked.add_argument("--out", type=Path, default=Path("runs/fine_tuning"))
    asked.add_argument("--steps", type=int, default=3000)
    given = asked.parse_args()
    model, corpus = given.out / "bart", given.out / "corpus"
    if not (model / "model.safetensors").is_file():
        pretrain(list(examples(given.data / "acl_titles", "train")), model, given.steps)
    corpus.mkdir(parents=True, exist_ok=True)
    for split, count in (("train", TRAINED), ("validation", VALIDATED)):
        lines = (json.dumps(one) + "\n" for one in islice(examples(given.data / "scitldr", split), count))
        (corpus / f"{split}.jsonl").write_text("".join(lines), encoding="utf-8")
    print("| what changes | validation loss of a token | minutes |\n|---|---|---|")
    for number, (name, preset, options) in enumerate(ROWS):
        loss, minutes = measure(model, corpus, given.out / str(number), preset, options)
        print(f"| {name} | {loss:.3f} | {minutes:.1f} |", flush=True)


if __name__ == "__main__":
    main()
