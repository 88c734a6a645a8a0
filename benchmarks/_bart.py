"""A small network of BART's shape, trained from nothing on one processor core until it copies.

Cross-entropy alone is slow to teach copying. So the network first copies nonsense: random pieces in sentences, some of
which begin with a cue; the "summary" is the sentences with a cue, or the first two where there is none (after Krishna
et al. 2021, *Does Pretraining for Summarization Require Knowledge Transfer?*). Then it copies, of articles, the
sentences that have most words of the reference, and last it learns the references. While what it writes is copied word
for word, one head of each decoder layer is also told where to look (Garg et al. 2019, *Jointly Learning to Align and
Translate*).
"""

from __future__ import annotations

import json
import lzma
import math
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from nutgraf.runtime.compute import multiplies_bf16
from nutgraf.training.memory import keep_freed_memory

PAD, BOS, EOS = 1, 0, 2
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
VOCABULARY, SOURCE, TARGET = 8000, 224, 56
CUES = range(300, 316)
"""Pieces that mark sentences of nonsense."""

ALIGNED = 0.5
"""Weight of the loss of the heads that are told where to look."""

EVERY = 100
"""Steps between two lines of the log, and two states that are kept."""


class Stage(NamedTuple):
    """A part of the training."""

    name: str
    steps: int
    fading: int
    """Steps after which the learning rate would be a tenth."""
    batch: int
    rate: float
    dropout: float


STAGES = (
    Stage("nonsense", 1000, 2500, 32, 1e-3, 0.0),
    Stage("sentences", 1000, 1250, 16, 7e-4, 0.0),
    Stage("references", 1200, 1200, 16, 5e-4, 0.1),
)

KEPT = {"sentences": "copying", "references": "references"}
"""Folders of the network as it is after a stage."""


class Article(NamedTuple):
    """Pieces of an article's first sentences and of its reference, and which two sentences are nearest to that."""

    sentences: list[list[int]]
    reference: list[int]
    nearest: list[int]


class Example(NamedTuple):
    """A source, a target, and where each piece of the target was copied from; −1 for none."""

    source: list[int]
    target: list[int]
    origin: list[int]


def read(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield name, text and reference of each article."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            wanted = [one.removesuffix(" .") for one in row["summary_sents"]]
            yield row["id"], " ".join(row["documents"]), " . ".join(wanted) + " ."


def sentences_of(text: str) -> list[str]:
    """Split a text of which the words are apart, at marks that end sentences."""
    return [one for one in re.split(r"(?<= [.?!]) (?!['\")])", text) if one.strip()]


def make_tokenizer(data: Path, out: Path) -> Any:
    """Return the tokenizer of the network: bytes joined to pieces, by articles of the training part."""
    import tokenizers
    from tokenizers import decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    folder = out / "tokenizer"
    if not (folder / "tokenizer.json").exists():
        made = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        made.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
        )
        texts = (f"{text[:2000]} {wanted}" for _, text, wanted in read(data / "train.jsonl.xz"))
        made.train_from_iterator(texts, trainer)
        made.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", special_tokens=[("<s>", BOS), ("</s>", EOS)]
        )
        named = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token", "mask_token"), SPECIAL, strict=True))
        PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=SOURCE, **named).save_pretrained(folder)
    return PreTrainedTokenizerFast.from_pretrained(folder)


def articles(path: Path, tokenizer: Any, count: int | None = None) -> list[Article]:
    """Return the articles of a file, each as far as the network reads."""
    found = []
    for number, (_, text, wanted) in enumerate(read(path)):
        if count is not None and number == count:
            break
        kept = _beginning(text, tokenizer)[1]
        [reference] = tokenizer([wanted], add_special_tokens=False)["input_ids"]
        if len(kept) > 2:
            found.append(Article(kept, reference[: TARGET - 2], _nearest(kept, reference)))
    return found


def beginning(text: str, tokenizer: Any) -> str:
    """Return the first sentences of a text, as many as the network reads."""
    return " ".join(_beginning(text, tokenizer)[0])


def _beginning(text: str, tokenizer: Any) -> tuple[list[str], list[list[int]]]:
    """Return the first sentences of a text, as many as the network reads, and their pieces."""
    parts, room = sentences_of(text[: 8 * SOURCE]), SOURCE - 2
    pieces = tokenizer(parts, add_special_tokens=False)["input_ids"]
    for count, one in enumerate(pieces):
        room -= len(one)
        if room < 0:
            return parts[:count], pieces[:count]
    return parts, pieces


def _nearest(sentences: Sequence[Sequence[int]], reference: Sequence[int]) -> list[int]:
    """Return the two sentences with the greatest F1 of pieces with the reference, in their order."""
    wanted = set(reference)
    ratings = [2 * len(wanted & set(one)) / (len(wanted) + len(set(one))) for one in sentences]
    return sorted(sorted(range(len(sentences)), key=lambda index: -ratings[index])[:2])


def nonsense(chance: random.Random, most: int) -> Example:
    """Return an example without sense: sentences of random pieces, of which those with a cue are to be copied."""
    count = chance.randint(3, most)
    sentences = [[chance.randrange(316, VOCABULARY) for _ in range(chance.randint(3, 9))] for _ in range(count)]
    cued = sorted(chance.sample(range(count), chance.choice([0, 1, 1, 2])))
    for index in cued:
        sentences[index].insert(0, chance.choice(CUES))
    return _copied(sentences, cued or [0, 1])


def copied_sentences(article: Article) -> Example:
    """Return the sentences of an article that are nearest to its reference."""
    return _copied(article.sentences, article.nearest)


def written(article: Article) -> Example:
    """Return the reference of an article."""
    source = [BOS, *(piece for one in article.sentences for piece in one), EOS]
    target = [*article.reference, EOS]
    return Example(source, target, [-1] * len(target))


def _copied(sentences: Sequence[Sequence[int]], chosen: Sequence[int]) -> Example:
    source, target, origin = [BOS], [], []
    for index, sentence in enumerate(sentences):
        if index in chosen:
            target += sentence
            origin += range(len(source), len(source) + len(sentence))
        source += sentence
    source.append(EOS)
    target, origin = target[: TARGET - 2], origin[: TARGET - 2]
    return Example(source, [*target, EOS], [*origin, -1])


def collated(examples: Sequence[Example]) -> tuple[dict[str, Tensor], Tensor, Tensor]:
    """Return what the network is called with, what it is to write, and where that was copied from: [batch, target]."""
    source = _padded([one.source for one in examples], PAD)
    labels = _padded([one.target for one in examples], -100)
    before = _padded([[EOS, *one.target[:-1]] for one in examples], PAD)
    given = {"input_ids": source, "attention_mask": (source != PAD).long(), "decoder_input_ids": before}
    return given, labels, _padded([one.origin for one in examples], -1)


def _padded(rows: Sequence[Sequence[int]], value: int) -> Tensor:
    length = max(map(len, rows))
    return torch.tensor([[*row, *[value] * (length - len(row))] for row in rows])


def make_network(seed: int) -> Any:
    """Return the network as it begins."""
    import transformers

    torch.manual_seed(seed)
    config = transformers.BartConfig(
        vocab_size=VOCABULARY,
        d_model=256,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=1024,
        decoder_ffn_dim=1024,
        max_position_embeddings=SOURCE,
        init_std=0.04,
        dropout=0.1,
        attention_dropout=0.0,
        scale_embedding=False,
        pad_token_id=PAD,
        bos_token_id=BOS,
        eos_token_id=EOS,
        decoder_start_token_id=EOS,
        forced_eos_token_id=None,
        attn_implementation="eager",
    )
    network = transformers.BartForConditionalGeneration(config)
    for half in (network.model.encoder, network.model.decoder):
        half.embed_positions.weight.data.copy_(waves(*half.embed_positions.weight.shape))
    return network


def waves(positions: int, width: int) -> Tensor:
    """Return sines and cosines, from which learned positions begin: one step is the same rotation everywhere."""
    angles = torch.arange(positions)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    return 0.04 * math.sqrt(2) * torch.cat([angles.sin(), angles.cos()], 1)


def loss_of(network: Any, examples: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """Return cross-entropy for each piece, and the loss of the heads that are told where to look."""
    given, labels, origin = collated(examples)
    told = bool((origin >= 0).any())
    kept = labels >= 0
    with torch.autocast("cpu", torch.bfloat16, enabled=multiplies_bf16(torch.device("cpu"))):
        out = network.model(**given, output_attentions=told, use_cache=False)
        logits = network.lm_head(out.last_hidden_state[kept])
    plain = F.cross_entropy(logits.float(), labels[kept])
    if not told:
        return plain, torch.zeros(())
    where = origin >= 0
    at = origin.clamp_min(0)[..., None]
    looked = [layer[:, 0].float().gather(-1, at)[..., 0] for layer in out.cross_attentions]
    return plain, -torch.stack([(one[where] + 1e-6).log().mean() for one in looked]).mean()


def train(data: Path, folder: Path, seed: int, tell: Callable[[str], None] = print) -> None:
    """Train the network to its end, going on where it was stopped; stages that `KEPT` names leave a folder each."""
    from safetensors.torch import load_file, save_file

    if all((folder / name / "model.safetensors").exists() for name in KEPT.values()):
        return
    tokenizer = make_tokenizer(data, folder)
    network, state = make_network(seed), folder / "bart_state.safetensors"
    named = dict(network.named_parameters())
    tell(f"{sum(one.numel() for one in named.values()):,} parameters")
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    done, spent = 0, 0.0
    if state.exists():
        kept = load_file(state)
        done, spent = int(kept["step"]), float(kept["seconds"])
        for name, one in named.items():
            one.data.copy_(kept[name])
            optimizer.state[one] = {
                "step": kept["step"].float(),
                "exp_avg": kept[f"{name}.first"],
                "exp_avg_sq": kept[f"{name}.second"],
            }
    known: list[Article] = []
    checked = articles(data / "validation.jsonl.xz", tokenizer, 192)
    began, first = time.process_time() - spent, 0
    keep_freed_memory()
    for stage in STAGES:
        if stage.name != "nonsense" and not known and done < first + stage.steps:
            known = articles(data / "train.jsonl.xz", tokenizer)
            tell(f"{len(known):,} articles")
        for part in network.modules():
            if isinstance(getattr(part, "dropout", None), float):
                part.dropout = stage.dropout
        sums = [0.0, 0.0]
        for step in range(max(done - first, 0), stage.steps):
            for group in optimizer.param_groups:
                group["lr"] = stage.rate * min((step + 1) / 100, 1.0) * (1 - 0.9 * step / stage.fading)
            torch.manual_seed(seed * 100_000 + first + step)
            plain, told = loss_of(network.train(), batch_of(stage, known, seed, first + step))
            (plain + ALIGNED * told).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            sums = [sums[0] + plain.item(), sums[1] + told.item()]
            if (step + 1) % EVERY == 0 or step + 1 == stage.steps:
                spent = time.process_time() - began
                tell(
                    f"{stage.name} {step + 1}: loss {sums[0] / EVERY:.3f}, where to look {sums[1] / EVERY:.3f}, "
                    f"validation {validated(network, stage, checked):.3f}, {spent:.0f} s"
                )
                sums = [0.0, 0.0]
                _keep(save_file, state, named, optimizer, first + step + 1, spent)
        first += stage.steps
        if stage.name in KEPT and not (folder / KEPT[stage.name] / "model.safetensors").exists():
            _publish(network, tokenizer, folder / KEPT[stage.name])


def _publish(network: Any, tokenizer: Any, folder: Path) -> None:
    """Write a folder that `--system hf:FOLDER` takes."""
    network.generation_config.update(num_beams=4, no_repeat_ngram_size=3, max_length=TARGET, min_length=10)
    network.set_attn_implementation("sdpa")
    network.save_pretrained(folder)
    network.set_attn_implementation("eager")
    tokenizer.save_pretrained(folder)


def _keep(save: Any, path: Path, named: Any, optimizer: Any, step: int, seconds: float) -> None:
    """Write the state of the training, whole or not at all."""
    found = {"step": torch.tensor(step), "seconds": torch.tensor(seconds)}
    for name, one in named.items():
        found[name] = one.data
        found[f"{name}.first"] = optimizer.state[one]["exp_avg"]
        found[f"{name}.second"] = optimizer.state[one]["exp_avg_sq"]
    save(found, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def batch_of(stage: Stage, known: Sequence[Article], seed: int, step: int) -> list[Example]:
    """Return the examples of a step; the same for the same seed."""
    chance = random.Random(f"{seed} {stage.name} {step}")
    if stage.name == "nonsense":
        most = 6 if step % 8 else 24  # now and then a long one, so that all positions are known
        return [nonsense(chance, most) for _ in range(stage.batch)]
    make = copied_sentences if stage.name == "sentences" else written
    # Articles of like length share a batch.
    drawn = sorted(
        chance.sample(range(len(known)), 4 * stage.batch), key=lambda one: sum(map(len, known[one].sentences))
    )
    start = chance.randrange(0, 3 * stage.batch)
    return [make(known[index]) for index in drawn[start : start + stage.batch]]


@torch.no_grad()
def validated(network: Any, stage: Stage, checked: Sequence[Article]) -> float:
    """Return the mean loss on what the network is not trained on."""
    network.eval()
    chance = random.Random("validation")
    make = copied_sentences if stage.name == "sentences" else written
    examples = [nonsense(chance, 6) for _ in checked] if stage.name == "nonsense" else [make(one) for one in checked]
    losses = [float(loss_of(network, examples[at : at + 48])[0]) for at in range(0, len(examples), 48)]
    return math.fsum(losses) / len(losses)
