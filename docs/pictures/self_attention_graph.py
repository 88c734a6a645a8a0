"""Draws self_attention_graph.svg: from self-attention to centrality and copying, as Fig. 3 of SAGCopy (Xu et al. 2020).

A small network of the preset `sagcopy_outdegree` learns the notices in `examples/` by heart, which takes about a minute
on one core, and then writes the summary of one of them. Everything in the picture is of that forward pass. Run it as
`python docs/pictures/self_attention_graph.py`; the same seed gives the same picture.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import textwrap
from dataclasses import dataclass
from html import escape
from pathlib import Path

import torch

from nutgraf.checkpoint import Trained, load
from nutgraf.model.ops.attention import softmax_weights
from nutgraf.model.ops.centrality import outdegree
from nutgraf.preparation import Preparation, batch
from nutgraf.preparation.shards import TOKENIZER
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of
from nutgraf.text.document import Document
from nutgraf.training.objectives.guidance import over_steps
from nutgraf.training.run import train

PICTURE = Path(__file__).with_suffix(".svg")
EXAMPLES = Path(__file__).parents[2] / "examples" / "notices.jsonl"
NOTICE = 0
"""Number of the notice that is drawn."""

EDGES = 24
"""Number of the heaviest edges that are drawn."""

ROW, TOP, WORDS_AT, BARS_AT, BAR, WIDTH = 24, 62, 250, 400, 130, 740
"""Height of a row, place of the first one, of the words and of the first bars; width of a bar, and of the picture."""

LINE = 95
"""Characters in a line below the picture."""

SMALL = {
    "dataset.kind": "jsonl",
    "tokenizer.kind": "words",
    "tokenizer.vocab_size": 400,
    "tokenizer.min_frequency": 1,
    "truncation.source": 24,
    "truncation.target": 30,
    "model.d_model": 64,
    "model.num_heads": 4,
    "model.dropout": 0.0,
    "model.max_positions": 64,
    "model.encoder.num_layers": 2,
    "model.encoder.ffn_dim": 128,
    "model.decoder.num_layers": 2,
    "model.decoder.ffn_dim": 128,
    "model.head.guide_keys": "times_length",
    "decoding.min_length": 5,
    "decoding.max_length": 30,
    "training.batch_size": 8,
    "training.batch_type": "examples",
    "training.gradient_accumulation_steps": 1,
    "training.max_steps": 300,
    "training.validate_every": 100,
    "training.patience": 0,
    "training.rouge_examples": 0,
    "training.schedule.learning_rate": 2e-3,
    "training.schedule.warmup_steps": 40,
    "training.precision": "fp32",
}
"""What makes the preset small."""

STYLE = """
  .back { fill: #ffffff; stroke: #d4d8de } .text { fill: #1f2328 } .note { fill: #57606a }
  .edge { stroke: #0969da; fill: none } .central { fill: #0969da } .copied { fill: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #161b22; stroke: #3d444d } .text { fill: #e6edf3 } .note { fill: #9198a1 }
    .edge { stroke: #58a6ff } .central { fill: #58a6ff } .copied { fill: #f0883e }
  }
  text { font: 13px sans-serif } .head { font-weight: bold }
"""


@dataclass(frozen=True)
class Pass:
    """One forward pass over one notice.

    Attributes:
        words: The source as the network reads it.
        edges: [query, key] mean attention of the encoder's last layer.
        central: Outdegree centrality of each word.
        copied: Mean over the summary of the attention that copies.
        summary: What the network wrote.
    """

    words: list[str]
    edges: list[list[float]]
    central: list[float]
    copied: list[float]
    summary: str


def main() -> None:
    """Train, read and draw."""
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.write_text(drawn(forward_pass(trained(Path(folder)))), encoding="utf-8")


def trained(folder: Path) -> Trained:
    """Train the network on the notices."""
    torch.set_num_threads(1)
    corpus = folder / "corpus"
    corpus.mkdir()
    for part in ("train", "validation"):
        shutil.copy(EXAMPLES, corpus / f"{part}.jsonl")
    train(read("sagcopy_outdegree", SMALL), corpus, folder / "trained")
    return load(folder / "trained", sections_of)


def forward_pass(model: Trained) -> Pass:
    """Let the network write a summary, and read what it attended to."""
    from nutgraf import load as system_of

    text = json.loads(EXAMPLES.read_text(encoding="utf-8").splitlines()[NOTICE])["text"]
    document = Document.of(text, language="en")
    summary = [sentence.text for sentence in system_of(model.folder, deterministic=True)(text)]
    preparation = Preparation.of(model.preset, model.tokenizer, model.folder / TOKENIZER)
    source = preparation.source(document)
    given = batch([source], [preparation.target(summary, source)])
    network = model.network.eval()
    with torch.no_grad():
        graph = network.encoder(network.source_embedding(given.source), given, needs_graph=True).graph
        trace = network(given)
    assert graph is not None
    assert trace.cross_attention is not None
    return Pass(
        [document.text[start:end] for start, end in source.spans],
        softmax_weights(graph.query, graph.key, graph.key_padding_mask).mean(1)[0].tolist(),
        outdegree(graph)[0].tolist(),
        over_steps(trace.cross_attention, given.labels_mask)[0].tolist(),
        " ".join(summary),
    )


def drawn(one: Pass) -> str:
    """Return the picture as SVG: edges as arcs left of the words, centrality and copying as bars right of them."""
    written = textwrap.wrap(f"Written: {one.summary}", LINE)
    foot = TOP + ROW * len(one.words) + 26
    height = foot + 18 * len(written)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">',
        f"<title>Self-attention, centrality and copying</title><style>{STYLE}</style>",
        f'<rect class="back" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        *heading(30, "self-attention", f"the {EDGES} heaviest edges", "start"),
        *heading(BARS_AT, "centrality", "outdegree of each word", "start"),
        *heading(BARS_AT + BAR + 40, "copying", "mean of all steps", "start"),
        *arcs(one.edges),
    ]
    for row, (word, central, copied) in enumerate(zip(one.words, one.central, one.copied, strict=True)):
        parts.append(label(WORDS_AT + 10, row, word, "text"))
        parts += bar(BARS_AT, row, central, max(one.central), "central")
        parts += bar(BARS_AT + BAR + 40, row, copied, max(one.copied), "copied")
    for number, line in enumerate(written):
        parts.append(f'<text class="note" x="30" y="{foot + 18 * number}">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def heading(x: int, name: str, note: str, anchor: str) -> list[str]:
    """Return the two lines above a column."""
    return [
        f'<text class="text head" x="{x}" y="28" text-anchor="{anchor}">{name}</text>',
        f'<text class="note" x="{x}" y="46" text-anchor="{anchor}">{note}</text>',
    ]


def arcs(edges: list[list[float]]) -> list[str]:
    """Return the heaviest edges between different words, from the word that looks to a dot at the one looked at."""
    cells = [(weight, query, key) for query, row in enumerate(edges) for key, weight in enumerate(row) if query != key]
    heaviest = sorted(cells, reverse=True)[:EDGES]
    found = []
    for weight, query, key in heaviest:
        start, end = middle(query), middle(key)
        reach = min(WORDS_AT - 40, 18 + 9 * abs(query - key))
        share = weight / heaviest[0][0]
        found.append(
            f'<path class="edge" d="M {WORDS_AT} {start} C {WORDS_AT - reach} {start} {WORDS_AT - reach} {end} '
            f'{WORDS_AT} {end}" stroke-width="{0.6 + 2.4 * share:.2f}" opacity="{0.35 + 0.65 * share:.2f}"/>'
        )
        found.append(f'<circle class="central" cx="{WORDS_AT}" cy="{end}" r="3"/>')
    return found


def bar(x: int, row: int, value: float, largest: float, kind: str) -> list[str]:
    """Return a bar and its number."""
    length = (BAR - 45) * value / largest
    return [
        f'<rect class="{kind}" x="{x}" y="{middle(row) - 7}" width="{length:.1f}" height="14" rx="2"/>',
        label(x + int(length) + 6, row, f"{value:.3f}", "note"),
    ]


def label(x: int, row: int, text: str, kind: str) -> str:
    """Return a text in a row."""
    return f'<text class="{kind}" x="{x}" y="{middle(row) + 4}">{escape(text)}</text>'


def middle(row: int) -> int:
    """Return the height of a row's middle."""
    return TOP + ROW * row + ROW // 2


if __name__ == "__main__":
    main()
