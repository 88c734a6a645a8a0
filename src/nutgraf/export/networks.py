"""Networks that run without torch: a span classifier, or a BERT whose states are vectors of texts, as ONNX.

    states = layers(norm(words + positions + segments))        encoder.onnx, one row a run
    logits = head(means, features)                             head.onnx, the items of one document a run

`inference/` says what such a folder has, and runs it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nutgraf.checkpoint import Trained, load, load_matching_weights, read_tensors
from nutgraf.checkpoint import weights as weights_of
from nutgraf.errors import InputError, UnknownName, requires
from nutgraf.export._graph import QUANTIZATIONS, Floats, Graph, Layers, written
from nutgraf.export._samples import SAMPLES
from nutgraf.inference import Network, NetworkCard, Reading, open_network
from nutgraf.inference.card import CARD, ENCODER_GRAPH, HEAD_GRAPH, SCALES, TOKENIZER, WORDS
from nutgraf.inference.network import FEATURES, KEPT, LOGITS, SEGMENTS, STATES, VECTORS, WORD_VECTORS
from nutgraf.inference.words import WordPieces, read_words
from nutgraf.model.layers import LAYER_NORM_EPS
from nutgraf.model.source import SourceConfig
from nutgraf.model.span_classifier import Config, SpanClassifier
from nutgraf.model_folder import TOKENIZER as TRAINED_TOKENIZER
from nutgraf.model_folder import WEIGHTS, read_card, read_preset
from nutgraf.preparation.span_shards import rows_of_example, span_batch
from nutgraf.preparation.tasks import NO_LABEL, SpanExample, tasks
from nutgraf.presets import Choice, Sections
from nutgraf.runtime.files import atomic_folder, lock_new
from nutgraf.runtime.quantization import quantized
from nutgraf.text.vocabulary import UNK
from nutgraf.tokenizers import tokenizers
from nutgraf.tokenizers.wordpiece import INSIDE, LONGEST, WordPiece
from nutgraf.version import __version__

FULL = "float32"

NEAR = 1e-3
"""How far vectors of single precision may be from torch's, relative to the largest number."""

ENCODER = "vectors"
"""Task of a network without a head."""

MARKS = 3
"""Special tokens of a row of two texts."""


@dataclass(frozen=True)
class ExportedNetwork:
    """A folder that runs without torch.

    Attributes:
        task: What it is for.
        quantization: Type of the weights.
        size: Bytes of its files.
        cosine: Smallest cosine of an item's vector with torch's, over a few texts.
        difference: Largest difference of a logit from torch's, over these texts; 0 without a head.
    """

    task: str
    quantization: str
    size: int
    cosine: float
    difference: float


def write_network(
    folder: str | Path,
    out: str | Path,
    sections: Sections,
    quantization: str = "int8",
    command: str = "",
    trust: bool = False,
) -> ExportedNetwork:
    """Write a trained span classifier, or what `nutgraf convert` made of a BERT, as `nutgraf.inference` runs it.

    Args:
        folder: A model folder.
        out: Folder to write.
        sections: Returns the `Config` of a system.
        quantization: Type of the weights: one of `QUANTIZATIONS`.
        command: Command that asked for it, which the card keeps; "" for none.
        trust: The preset may name modules outside nutgraf.

    Raises:
        InputError: If there is no such model, it is damaged, or has parts that no graph can be written of.
        MissingPackage: If a package of the extra `export` is not installed.
        OutputError: If the folder is there already, or cannot be written.
        PresetError: If the preset names a module and is not trusted.
        UnknownName: If there is no such quantization.
    """
    if quantization not in QUANTIZATIONS:
        raise UnknownName("quantization of networks", quantization, QUANTIZATIONS)
    with requires("export", "Exports need"):
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    trained = _read(Path(folder), sections, trust)
    with lock_new(out) as target, atomic_folder(target) as made:
        card = _write(trained, made, quantization, command)
        cosine, difference = _compare(trained, open_network(made), card)
        if quantization == FULL and not (cosine > 1 - NEAR):
            raise InputError(
                f"{folder} cannot be exported: the graph computes other vectors than torch ({cosine:.3f})."
            )
        figures = {"cosine_with_torch": round(cosine, 4), "largest_difference_of_logits": round(difference, 4)}
        _write_card(made, replace(card, figures=figures))
        size = sum(path.stat().st_size for path in made.iterdir())
    return ExportedNetwork(card.task, quantization, size, cosine, difference)


def _read(folder: Path, sections: Sections, trust: bool) -> Trained[SpanClassifier]:
    """Read a span classifier, or a BERT's encoder as one whose head nobody reads. Raises InputError and PresetError."""
    card = read_card(folder)
    if card.get("converted") is None:
        trained: Trained[Any] = load(folder, sections, trust=trust)
        if isinstance(trained.network, SpanClassifier):
            return trained
        raise InputError(_NO_GRAPH.format(folder=folder))
    preset = read_preset(folder, sections, trust)
    given, tokenizer = preset.options("model"), tokenizers.build(preset.options("tokenizer"))
    tokenizer.load(folder / TRAINED_TOKENIZER)
    shared = {one.name: getattr(given, one.name) for one in fields(SourceConfig)}
    network = SpanClassifier(Config(**shared), len(tokenizer))
    missing = load_matching_weights(network, read_tensors(folder / WEIGHTS)).new
    if any(name.startswith(("source_embedding", "encoder")) for name in missing):
        raise InputError(_NO_GRAPH.format(folder=folder))
    return Trained(folder, preset, tokenizer, network.eval(), card)


_NO_GRAPH = (
    "{folder} cannot be exported as ONNX: networks that classify spans can, and what `nutgraf convert` makes of a BERT."
)


def _write(trained: Trained[SpanClassifier], made: Path, quantization: str, command: str) -> NetworkCard:
    """Write the files of a network, and return its card."""
    if not isinstance(trained.tokenizer, WordPiece):
        raise InputError(f"{trained.folder} cannot be exported: its tokenizer has no word pieces, which BERT has.")
    network, config = trained.network, trained.network.config
    tensors = {name: one.float().numpy() for name, one in weights_of(network).items()}
    layers = _encoder_of(trained)
    whole, scales = quantized(torch.from_numpy(tensors["source_embedding.word_embeddings.weight"]))
    _save(made / WORDS, whole.numpy())
    _save(made / SCALES, scales.numpy().astype("<f4"))
    (made / TOKENIZER).write_text(json.dumps(_tokenizer(trained.tokenizer), ensure_ascii=False), encoding="utf-8")
    words = read_words(made, _digests(made))
    task = None if "converted" in trained.card else tasks.build(trained.preset.options("task"))
    longest = config.max_positions if task is None else task.longest
    rows = _rows(words, longest)
    samples = [_encoder_inputs(words, row) for row in rows]
    inputs = {
        WORD_VECTORS: ("float", (1, "tokens", config.d_model)),
        SEGMENTS: ("int64", (1, "tokens")),
        KEPT: ("int64", ("kept",)),
    }
    encoder = written(lambda graph: _draw_encoder(graph, layers), tensors, inputs, STATES, samples, quantization)
    (made / ENCODER_GRAPH).write_bytes(encoder)
    card = NetworkCard(
        schema="nutgraf.network/1",
        task=ENCODER,
        title="Vectors of texts",
        layers=layers.count,
        width=config.d_model,
        longest=longest,
        files=_digests(made),
        quantization=quantization,
        licence=str(trained.card.get("licence", "")),
        commands=(*trained.card.get("commands", ()), *([command] if command else [])),
        version=__version__,
    )
    if task is None:
        _write_card(made, card)
        return card
    card = replace(
        card,
        task=trained.preset.options("task").kind,
        title=str(trained.preset.table.get("title", trained.preset.name)),
        spans=task.spans,
        features=task.features,
        classes=tuple(task.classes),
    )
    items = _head_inputs(network, card, [_reading(row, card) for row in rows])
    inputs = {name: ("float", ("items", value.shape[1])) for name, value in items.items()}
    head = written(lambda graph: _draw_head(graph, trained), tensors, inputs, LOGITS, [items], quantization)
    (made / HEAD_GRAPH).write_bytes(head)
    card = replace(card, files=_digests(made))
    _write_card(made, card)
    return card


def _draw_encoder(graph: Graph, layers: Layers) -> None:
    """Add the operators of the encoder: one row, and the states of the positions that are kept."""
    first, axis = graph.constant(np.array([0])), graph.constant(np.array([1]))
    length = graph.op("Gather", graph.op("Shape", WORD_VECTORS), axis)
    positions = graph.op("Slice", graph.weight("source_embedding.position_embeddings"), first, length, first)
    second = graph.tensors["second_segment"]
    texts = graph.op("Gather", graph.constant(np.stack([np.zeros_like(second), second])), SEGMENTS)
    embedded = graph.op("Add", graph.op("Add", WORD_VECTORS, positions), texts)
    states = graph.norm(embedded, "source_embedding.norm", layers.epsilon)
    graph.layers(states, "encoder", layers, KEPT)


def _draw_head(graph: Graph, trained: Trained[SpanClassifier]) -> None:
    """Add the operators of the head: all items of a document."""
    config = trained.network.config
    vectors = VECTORS if config.layers is None else graph.norm(VECTORS, "norm", LAYER_NORM_EPS)
    given = graph.linear(vectors, "item_proj")
    if config.features:
        known = graph.linear(graph.activated(graph.linear(FEATURES, "features.0"), "gelu"), "features.2")
        given = graph.op("Add", given, known)
    if config.layers is None:
        given = graph.activated(given, "gelu")
    else:
        axis = graph.constant(np.array([0]))
        inner = replace(_layers_of(trained, config.layers), epsilon=LAYER_NORM_EPS)
        given = graph.op("Squeeze", graph.layers(graph.op("Unsqueeze", given, axis), "layers", inner), axis)
    graph.linear(given, "score_proj")


def _encoder_of(trained: Trained[SpanClassifier]) -> Layers:
    """Return what the layers of a BERT are like. Raises InputError if it is none."""
    config = trained.network.config
    embedding = config.embedding
    if (embedding.position_embedding, embedding.scale, embedding.norm) != ("learned", False, True):
        raise InputError(f"{trained.folder} cannot be exported as ONNX: its embeddings are not as in a BERT.")
    return _layers_of(trained, config.encoder)


def _layers_of(trained: Trained[SpanClassifier], choice: Choice[Any]) -> Layers:
    """Return what transformer layers are like. Raises InputError if they are of another kind."""
    chosen, config = choice.config, trained.network.config
    if choice.kind != "transformer" or chosen.attention.kind != "dot_product":
        raise InputError(
            f"{trained.folder} cannot be exported as ONNX: its layers are {choice.kind}, and plain transformers can be."
        )
    heads, epsilon = config.num_heads, float(config.layer_norm_eps)
    return Layers(chosen.num_layers, heads, chosen.norm, chosen.activation, epsilon)


def _rows(words: WordPieces, longest: int) -> list[list[int]]:
    """Return texts to try, and each beside the next one, as rows."""
    texts = [words.encode(text).ids for text in SAMPLES]
    room = (longest - MARKS) // 2
    pairs = [words.row(one[:room], other[:room]) for one, other in pairwise(texts)]
    return [*(words.row(one[: 2 * room]) for one in texts), *pairs]


def _encoder_inputs(words: WordPieces, row: Sequence[int]) -> dict[str, Any]:
    ids = np.array(row)
    return {WORD_VECTORS: words.vectors(ids)[None], SEGMENTS: words.segments(ids)[None], KEPT: np.arange(len(ids))}


def _reading(row: Sequence[int], card: NetworkCard) -> Reading:
    """Return a row with a few items: their spans take turns in it, and their features are small numbers.

    Where there is no head, the row is the only item.
    """
    if not card.spans:
        return Reading([row], [[[(0, 0, len(row))]]])
    count, half = card.spans, len(row) // 2
    spans = [[(0, 0, 1)], [(0, 1, half)], [(0, half, len(row))]]
    items = [[spans[(item + number) % 3] for number in range(count)] for item in range(3)]
    features = np.linspace(-1, 1, len(items) * card.features, dtype=np.float32).reshape(len(items), card.features)
    return Reading([row], items, features)


def _torch_vectors(network: SpanClassifier, reading: Reading, card: NetworkCard) -> torch.Tensor:
    """Return the vectors of a reading's items as torch computes them."""
    features = [] if reading.features is None else reading.features.tolist()
    unlabeled = [NO_LABEL] * len(reading.items)
    example = SpanExample(reading.rows, reading.items, unlabeled, features=features)
    batch = span_batch([rows_of_example(example)], card.spans or 1)
    with torch.no_grad():
        return network.vectors(batch)


def _head_inputs(network: SpanClassifier, card: NetworkCard, readings: Sequence[Reading]) -> dict[str, Floats]:
    """Return the inputs of the head, as if all readings were one document."""
    found = {VECTORS: torch.cat([_torch_vectors(network, one, card) for one in readings]).numpy()}
    if card.features:
        found[FEATURES] = np.concatenate([one.features for one in readings if one.features is not None])
    return found


def _compare(trained: Trained[SpanClassifier], network: Network, card: NetworkCard) -> tuple[float, float]:
    """Return the smallest cosine of an item's vector with torch's, and the largest difference of a logit."""
    cosines, differences = [1.0], [0.0]
    for row in _rows(network.words, card.longest):
        reading = _reading(row, card)
        theirs, ours = _torch_vectors(trained.network, reading, card), torch.from_numpy(network.vectors(reading))
        cosines.append(float(torch.cosine_similarity(theirs, ours).min()))
        if card.spans:
            features = torch.from_numpy(reading.features) if card.features else None
            with torch.no_grad():
                wanted = trained.network.logits(theirs, features, torch.tensor([len(reading.items)]))
            differences.append(float(np.abs(wanted.numpy() - network.logits(reading)).max()))
    return min(cosines), max(differences)


def _tokenizer(tokenizer: WordPiece) -> Mapping[str, Any]:
    """Return a tokenizer as the library tokenizers reads it; the numbers of the pieces are those of the network."""
    lower = tokenizer.config.lower
    normalizer = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": lower}
    model = {
        "type": "WordPiece",
        "unk_token": UNK,
        "continuing_subword_prefix": INSIDE,
        "max_input_chars_per_word": LONGEST,
        "vocab": {piece: number for number, piece in enumerate(tokenizer.tokens)},
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", **normalizer},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": model,
    }


def _save(path: Path, values: np.ndarray[Any, Any]) -> None:
    np.save(path, values, allow_pickle=False)


def _digests(folder: Path) -> dict[str, str]:
    """Return the digests of all files but the card."""
    paths = (path for path in sorted(folder.iterdir()) if path.name != CARD)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _write_card(folder: Path, card: NetworkCard) -> None:
    text = json.dumps(asdict(card), ensure_ascii=False, indent=2)
    (folder / CARD).write_text(f"{text}\n", encoding="utf-8")
