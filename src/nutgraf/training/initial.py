"""Initial weights of a training: word vectors, and the weights of another model folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from nutgraf.checkpoint import build_on_meta, load_matching_weights, read_tensors, shapes_of, weights
from nutgraf.errors import InputError
from nutgraf.model.network import Network
from nutgraf.model.pretrained import Pretrained
from nutgraf.model_folder import TOKENIZER, WEIGHTS, read_card, read_preset
from nutgraf.preparation.shards import find_tokenizer, read_tokenizer
from nutgraf.preparation.word_vectors import WordVectors, begin_with
from nutgraf.presets import Preset
from nutgraf.tokenizers import Tokenizer, tokenizers
from nutgraf.training.config import Config
from nutgraf.training.optimizers import optimizers
from nutgraf.training.store import CHECKPOINTS, OPTIMIZER, put_moments

POSITIONS = "position_embeddings"
"""End of the names of tables that grow with the number of positions."""


def initialize(
    preset: Preset, network: Network, tokenizer: Tokenizer, vectors: WordVectors | None
) -> tuple[list[str], dict[str, Any]]:
    """Give a network the weights that its training begins with, where they are not drawn at random.

    Sentences about it for the user are returned, and a record of it for the card. Raises InputError if the folder to
    begin with has another tokenizer, or nothing in it fits.
    """
    config: Config = preset.config.training
    notices, record = [], {}
    if vectors is not None:
        record["vectors"] = begin_with(vectors, network, tokenizer)
        sentence = "{known:,} of {entries:,} entries of the vocabulary begin with a vector of the file."
        notices.append(sentence.format(**record["vectors"]))
    if isinstance(network, Pretrained) and config.init_from is None:
        record["init_from"] = _take_pretrained(network, tokenizer)
        notices.append(f"All weights but those of steering and adapters come from {record['init_from']['folder']}.")
    if config.init_from is not None:
        record["init_from"] = _take_weights(config, network, tokenizer, preset)
        notices.append(_describe_sources(record["init_from"]))
    return notices, record


def check_weights_of(folder: str | Path, preset: Preset) -> None:
    """Check that the network of a preset can begin with all weights of a folder that it knows; `initialize` takes them.

    A network may have weights that the folder lacks, and more positions.

    Args:
        folder: A model folder.
        preset: The preset of the network that is to be trained.

    Raises:
        InputError: If it is no model folder, has another kind of tokenizer, or is of a network of another size.
        PresetError: If its preset names a module and is not trusted.
    """
    folder = Path(folder)
    read_preset(folder, preset.sections, preset.trust)
    chosen = preset.options("tokenizer")
    tokenizer = read_tokenizer(chosen, find_tokenizer(chosen, folder))
    own = {name: tuple(tensor.shape) for name, tensor in weights(build_on_meta(preset, len(tokenizer))).items()}
    common = {name: size for name, size in shapes_of(folder / WEIGHTS).items() if name in own}
    if not common:
        raise _nothing_fits(folder)
    for name, size in common.items():
        if size != own[name] and not name.endswith(POSITIONS):
            there, here = (" × ".join(map(str, one)) or "1" for one in (size, own[name]))
            raise InputError(
                f"{folder / WEIGHTS} is of a network of another size: {name} has {there} numbers there, and {here} in "
                f"the network of {preset.name}."
            )


def initialize_optimizer(config: Config, network: nn.Module, optimizer: Optimizer) -> None:
    """Take over the optimizer's state of `init_from`, if `init_optimizer` asks for it.

    Parameters of another size begin anew. Raises InputError if that optimizer keeps other tensors.
    """
    if not config.init_optimizer or config.init_from is None:
        return
    place = Path(config.init_from) / CHECKPOINTS / "best" / OPTIMIZER
    given = read_tensors(place)
    there = {name.rpartition("/")[2] for name in given}
    needed = set(optimizers.build(config.optimizer).state_names)
    if not needed <= there:
        raise InputError(
            f"{place} keeps {', '.join(sorted(there - {'step'})) or 'nothing'}, but this optimizer needs "
            f"{', '.join(sorted(needed))}: init_optimizer takes the training.optimizer of the folder it begins with."
        )
    sizes = {name: parameter.shape for name, parameter in network.named_parameters()}
    parted = {name: name.rpartition("/") for name in given}
    anew = {of for name, (of, _, _) in parted.items() if given[name].dim() and given[name].shape != sizes.get(of)}
    wanted = {
        name: given[name] for name, (of, _, what) in parted.items() if what in {*needed, "step"} and of not in anew
    }
    put_moments(network, optimizer, wanted)


def _take_weights(config: Config, network: nn.Module, tokenizer: Tokenizer, preset: Preset) -> dict[str, Any]:
    """Take over weights, and return a record of it for the card."""
    folder = Path(str(config.init_from))
    theirs = read_tokenizer(read_preset(folder, preset.sections, preset.trust).options("tokenizer"), folder / TOKENIZER)
    if list(theirs.tokens) != list(tokenizer.tokens):
        raise InputError(
            f"{folder} has another tokenizer ({len(theirs)} entries) than the data ({len(tokenizer)}); their ids would "
            f"mean other words. Prepare the data with it: nutgraf prepare … --tokenizer {folder}."
        )
    given = read_tensors(folder / WEIGHTS)
    repeated, copied = _extend_positions(network, given), _begin_target_words(network, given)
    matched = load_matching_weights(network, given)
    if not matched.matched:
        raise _nothing_fits(folder)
    return {
        "folder": str(folder),
        "card": {key: read_card(folder).get(key) for key in ("preset", "seed", "training", "weights")},
        "optimizer": config.init_optimizer,
        **{name: list(names) for name, names in vars(matched).items()},
        "matched": len(matched.matched),
        **({"repeated_positions": repeated} if repeated else {}),
        **({"copied_from_source": copied} if copied else {}),
    }


def _nothing_fits(folder: Path) -> InputError:
    return InputError(f"Nothing in {folder / WEIGHTS} fits this network; their presets have too little in common.")


def _take_pretrained(network: Pretrained, tokenizer: Tokenizer) -> dict[str, Any]:
    """Take over the weights of a pretrained model, and return a record of it for the card."""
    folder = network.begin_with_folder()
    if list(read_tokenizer(tokenizers.choose("pretrained"), folder).tokens) != list(tokenizer.tokens):
        raise InputError(f"The data were prepared with another tokenizer than that of {folder}; prepare them anew.")
    return {"folder": network.config.folder}


def _extend_positions(network: nn.Module, given: dict[str, Tensor]) -> list[str]:
    """Repeat the last position embedding where a network has more positions, and return the names of these tables.

    So did Liu and Lapata 2019 for texts longer than BERT's 512 pieces.
    """
    found = []
    for name, table in network.named_parameters():
        short = given.get(name)
        if not name.endswith(POSITIONS) or short is None or short.shape[1:] != table.shape[1:]:
            continue
        if 0 < len(short) < len(table):
            given[name] = torch.cat([short, short[-1:].expand(len(table) - len(short), -1)])
            found.append(name)
    return found


def _begin_target_words(network: nn.Module, given: dict[str, Tensor]) -> list[str]:
    """Let the target's word embeddings begin as the source's, and return the name of their matrix.

    That is where a network has two matrices and the folder, as of a BERT, one (Liu and Lapata 2019, the authors' code).
    """
    source, target = (f"{side}_embedding.word_embeddings.weight" for side in ("source", "target"))
    if target in given or source not in given or target not in weights(network):
        return []
    given[target] = given[source].clone()
    return [target]


def _describe_sources(begun: Mapping[str, Any]) -> str:
    parts = [f"{begun['matched']} tensors come from {begun['folder']}"]
    for what, key in (("new", "new"), ("of another size", "other_shape"), ("not used", "unused")):
        names = begun[key]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        parts += [f"{what}: {', '.join(names[:4])}{more}"] if names else []
    if "repeated_positions" in begun:
        parts.append("positions beyond those of the folder begin as its last one")
    if "copied_from_source" in begun:
        parts.append("words of the target begin with the embeddings that the folder has for the source")
    return f"{'; '.join(parts)}."
