"""Model folders: trained networks that can be rebuilt.

    preset.toml            the complete preset
    tokenizer/             the tokenizer
    weights.safetensors    the chosen weights, in float32 or in 8 bits
    card.json              training data, training and scores

Nothing is pickled. Files of tensors carry a digest of their content, so that truncated or changed ones are noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.model.network import Network
from nutgraf.model.pretrained import Config as PretrainedConfig
from nutgraf.model.pretrained import Pretrained
from nutgraf.model.reranker import Config as RerankerConfig
from nutgraf.model.reranker import Reranker
from nutgraf.model.safe_tensors import opened
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.model.span_classifier import Config as SpanClassifierConfig
from nutgraf.model.span_classifier import SpanClassifier
from nutgraf.model.tagger import Config as TaggerConfig
from nutgraf.model.tagger import Tagger
from nutgraf.model_folder import CARD, PRESET, TOKENIZER, WEIGHTS, is_trained, read_card, read_preset, write_card
from nutgraf.presets import Preset, Sections
from nutgraf.runtime.files import atomic_write, copy_files, write_text
from nutgraf.runtime.hardware import total_memory
from nutgraf.runtime.quantization import unpack, without_scales
from nutgraf.steering import forms
from nutgraf.steering.learned import LearnedSteering
from nutgraf.text.clean import encodable
from nutgraf.tokenizers import Tokenizer, tokenizers

Sizes = tuple[int, ...]

N = TypeVar("N", bound=Network)

DTYPES = frozenset(
    {torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32, torch.uint8, torch.bool}
)
"""Types of the tensors that networks, optimizers and foreign models keep."""

STEERING = "steering."
"""Beginning of the names of learned strengths. How many there are is known once the network has run, so their sizes are
checked later than those of all else."""

LEFT_FREE = 0.9
"""Share of the machine's memory that weights may take."""


@dataclass(frozen=True)
class Trained(Generic[N]):
    """A trained model; its network is ready for use, without dropout."""

    folder: Path
    preset: Preset
    tokenizer: Tokenizer
    network: N
    card: dict[str, Any]

    @property
    def validated_precisions(self) -> tuple[str, ...]:
        """Lower precisions in which these weights were measured to write equally good summaries."""
        found = self.card.get("precision_gate", {})
        if not found or found["weights"] != self.card.get("weights"):
            return ()
        return tuple(sorted(name for name, one in found["precisions"].items() if one["passes"]))


@dataclass(frozen=True)
class Matched:
    """Result of offering weights to a network."""

    matched: tuple[str, ...]
    new: tuple[str, ...]
    unused: tuple[str, ...]
    other_shape: tuple[str, ...]


def build(preset: Preset, vocab_size: int) -> Network:
    """Build the untrained network of a preset, whose seed decides the weights.

    Raises:
        PresetError: If the preset does not fit, or the network is too large for this machine.
    """
    build_on_meta(preset, vocab_size)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(preset.seed)
        return _network(preset, vocab_size)


def _network(preset: Preset, vocab_size: int) -> Network:
    config = preset.options("model")
    if isinstance(config, PretrainedConfig):
        return _pretrained(config, preset, vocab_size)
    if isinstance(config, RerankerConfig):
        return Reranker(config, vocab_size)
    if isinstance(config, SpanClassifierConfig):
        return SpanClassifier(config, vocab_size)
    return Tagger(config, vocab_size) if isinstance(config, TaggerConfig) else Seq2Seq(config, vocab_size)


def _pretrained(config: PretrainedConfig, preset: Preset, vocab_size: int) -> Pretrained:
    """Build a pretrained network, steered as its preset says; on the meta device, where it cannot run, unsteered."""
    network, chosen = Pretrained(config, vocab_size), preset.options("steering")
    if chosen is not None and network.ids.device.type != "meta":
        network.steering = LearnedSteering(network.backbone, forms.build(chosen))
    return network


def build_on_meta(preset: Preset, vocab_size: int) -> Network:
    """Build the network of a preset with shapes alone, without memory for its weights. Raises PresetError."""
    with torch.device("meta"), _WithoutNormalDraws():
        try:
            network = _network(preset, vocab_size)
        except RuntimeError as error:  # a product of sizes beyond 64 bits
            raise PresetError(f"The network of the preset {preset.name!r} is too large: {error}.") from error
    needed, there = sum(tensor.nbytes for tensor in weights(network).values()), total_memory()
    if there is not None and needed > LEFT_FREE * there:
        raise PresetError(
            f"The network of the preset {preset.name!r} has {needed / 1e9:,.1f} GB of weights, and this machine has "
            f"{there / 1e9:,.1f} GB of memory; a smaller model.d_model, fewer layers or a smaller vocabulary would do."
        )
    return network


class _WithoutNormalDraws(TorchFunctionMode):
    """Skips normal initialization: on the meta device it has no effect and imports torch's compiler, which is slow."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func is nn.init.normal_:
            return None  # the tensor itself, which no caller reads
        return func(*args, **(kwargs or {}))


def create_folder(folder: str | Path, preset: Preset, tokenizer: str | Path, card: Mapping[str, Any]) -> None:
    """Write a model folder without its weights.

    Args:
        folder: Model folder to write.
        preset: The network's preset.
        tokenizer: Folder of a saved tokenizer.
        card: Content of the card.

    Raises:
        OutputError: If the folder cannot be written.
    """
    import tomli_w

    folder = Path(folder)
    copy_files(tokenizer, folder / TOKENIZER)
    write_text(folder / PRESET, encodable(tomli_w.dumps(preset.complete())))
    write_card(folder, card)


def load(
    folder: str | Path, sections: Sections, device: torch.device | str = "cpu", trust: bool = False
) -> Trained[Any]:
    """Load a model folder.

    Args:
        folder: A model folder.
        sections: Returns the `Config` of a system.
        device: Where the network should be.
        trust: The preset may name modules outside nutgraf, which are then imported.

    Raises:
        InputError: If something in it is missing, cut, changed or does not fit.
        PresetError: If the preset names a module and is not trusted.
    """
    folder = Path(folder)
    if not is_trained(folder):
        missing = ", ".join(name for name in (PRESET, WEIGHTS, CARD) if not (folder / name).is_file())
        raise InputError(f"{folder} is not a trained model: it lacks {missing}. `nutgraf train` creates such folders.")
    card, preset = read_card(folder), read_preset(folder, sections, trust)
    tokenizer = tokenizers.build(preset.options("tokenizer"))
    tokenizer.load(folder / TOKENIZER)
    sizes = {name: size for name, size in shapes_of(folder / WEIGHTS).items() if not name.startswith(STEERING)}
    check_weights(build_on_meta(preset, len(tokenizer)), sizes, str(folder / WEIGHTS))
    network = build(preset, len(tokenizer))
    load_weights(network, read_tensors(folder / WEIGHTS), str(folder / WEIGHTS))
    return Trained(folder, preset, tokenizer, network.to(device).eval(), card)


def weights(network: nn.Module) -> dict[str, Tensor]:
    """Return parameters and buffers of a network by name; a shared one appears once, by its first name."""
    seen: set[int] = set()
    found = {}
    for name, tensor in network.state_dict(keep_vars=True).items():
        if id(tensor) not in seen:
            seen.add(id(tensor))
            found[name] = tensor.detach()
    return found


def load_weights(network: nn.Module, given: Mapping[str, Tensor], where: str) -> None:
    """Copy all weights into a network. Raises InputError if they do not fit it."""
    check_weights(network, {name: tuple(tensor.shape) for name, tensor in given.items()}, where)
    for name, tensor in weights(network).items():
        if tensor.is_floating_point() != given[name].is_floating_point():
            raise InputError(
                f"{where} does not fit the preset: {name} has the type {given[name].dtype} there, and the preset's "
                f"network {tensor.dtype}."
            )
    load_matching_weights(network, given)


def check_weights(network: nn.Module, given: Mapping[str, Sizes], where: str) -> None:
    """Raise InputError if weights of these names and sizes, from the file `where`, do not fit a network."""
    own = {name: tuple(tensor.shape) for name, tensor in weights(network).items()}
    wrong = [name for name, sizes in given.items() if name in own and own[name] != sizes]
    if wrong:
        words = next((name for name in wrong if "word_embeddings" in name and given[name]), None)
        if words and given[words][0] != own[words][0]:
            raise InputError(
                f"{where} was made for a vocabulary of {given[words][0]} words, but this one has {own[words][0]}; a "
                "network and its vocabulary stay together."
            )
        others = f", and {len(wrong) - 1} others differ too" if wrong[1:] else ""
        raise InputError(
            f"{where} does not fit the preset: {wrong[0]} has the size {_times(given[wrong[0]])} there, and the "
            f"preset's network {_times(own[wrong[0]])}{others}."
        )
    if own.keys() != given.keys():
        one = sorted(own.keys() ^ given.keys())[0]
        difference = "lacks" if one in own else "has more than the preset's network:"
        raise InputError(f"{where} does not fit the preset: it {difference} {one}.")


def _times(sizes: Sizes) -> str:
    """Write sizes as people do."""
    return " × ".join(map(str, sizes)) or "of one number"


@torch.no_grad()
def load_matching_weights(network: nn.Module, given: Mapping[str, Tensor]) -> Matched:
    """Copy the tensors that have name and shape of a network's weights; its other weights stay as they are."""
    own = weights(network)
    fits = {name for name in own if name in given and own[name].shape == given[name].shape}
    for name in fits:
        own[name].copy_(given[name])
    return Matched(
        matched=tuple(name for name in own if name in fits),
        new=tuple(name for name in own if name not in given),
        unused=tuple(name for name in given if name not in own),
        other_shape=tuple(name for name in own if name in given and name not in fits),
    )


def write_tensors(path: str | Path, tensors: Mapping[str, Tensor], card: Mapping[str, Any] | None = None) -> str:
    """Write a safetensors file, whole or not at all.

    Args:
        path: File to write.
        tensors: Tensors by name.
        card: Part of the card that is about these weights alone; `read_card` finds it in them.

    Returns:
        The digest of the tensors, which is kept in the file, too.

    Raises:
        OutputError: If the file cannot be written.
    """
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    digest = digest_of(plain)
    metadata = {"digest": digest, **({} if card is None else {"card": json.dumps(card)})}
    with atomic_write(path) as temporary:
        try:
            save_file(plain, temporary, metadata)
        except SafetensorError as error:
            raise OutputError(f"{path} cannot be written: {error}.") from error
    return digest


def read_tensors(path: str | Path, expected: str | None = None) -> dict[str, Tensor]:
    """Read a file that `write_tensors` wrote; weights that are kept in 8 bits are returned in float32.

    Args:
        path: File to read.
        expected: Digest that the file should have; None accepts any.

    Raises:
        InputError: If the file cannot be read, was cut, was changed, or has another digest than expected.
    """
    with opened(path) as file:
        recorded = (file.metadata() or {}).get("digest")
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if recorded is None or recorded != digest_of(tensors):
        raise InputError(f"{path} was changed since it was written: its content does not have the digest {recorded}.")
    if expected is not None and recorded != expected:
        raise InputError(f"{path} is of another checkpoint: its digest is {recorded}, not {expected}.")
    tensors = unpack(tensors, path)
    refuse_nonfinite(tensors, path)
    return tensors


def shapes_of(path: str | Path) -> dict[str, Sizes]:
    """Return the names and sizes of a file's tensors, scales left out, from its header alone. Raises InputError."""
    with opened(path) as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in without_scales(list(file.keys()))}


def refuse_nonfinite(tensors: Mapping[str, Tensor], where: str | Path) -> None:
    """Raise InputError if a tensor holds NaN or infinity, or is of a type that networks do not have."""
    for name, tensor in tensors.items():
        if tensor.dtype not in DTYPES:
            raise InputError(f"{where} holds numbers of the type {tensor.dtype} in {name}, which no network has.")
        # The smallest and the largest are NaN if any is; this reads the tensor once and makes none of its size.
        if tensor.is_floating_point() and tensor.numel() and not torch.isfinite(torch.stack(tensor.aminmax())).all():
            raise InputError(
                f"{where} holds numbers that are not finite, in {name}: it was damaged, or its training was."
            )


def digest_of(tensors: Mapping[str, Tensor]) -> str:
    """Return the SHA-256 of names, types, shapes and values."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
