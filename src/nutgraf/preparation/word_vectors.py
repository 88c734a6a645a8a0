"""Word embeddings that begin with vectors from a local file."""

from __future__ import annotations

import torch

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.pretrained import Config as PretrainedConfig
from nutgraf.presets import Preset
from nutgraf.text.word_vectors import WordVectors, read_word_vectors
from nutgraf.tokenizers import SPECIAL_TOKENS, Tokenizer

__all__ = ["WordVectors", "begin_with", "vectors_of"]


def vectors_of(preset: Preset) -> WordVectors | None:
    """Return the vectors of the file that `model.embedding.vectors` names; None if it names none.

    Raises InputError if the file cannot be read, PresetError if its vectors do not fit the embedding.
    """
    model = preset.options("model")
    if isinstance(model, PretrainedConfig) or (embedded := model.embedding).vectors is None:
        return None
    vectors = read_word_vectors(embedded.vectors)
    columns = embedded.embedding_dim or model.d_model
    if vectors.dimensions != columns:
        raise PresetError(
            f"The vectors of {embedded.vectors} have {vectors.dimensions} numbers each, the table of words {columns}: "
            f"model.embedding.embedding_dim = {vectors.dimensions} makes them fit, and a learned projection follows."
        )
    return vectors


def begin_with(vectors: WordVectors, network: Network, tokenizer: Tokenizer) -> dict[str, int]:
    """Put vectors into the network's embeddings, and return how many tokens have one.

    A piece of a word begins with the vector of the word that is spelled so.
    """
    spelled = [tokenizer.decode([text]) if text not in SPECIAL_TOKENS else "" for text in tokenizer.tokens]
    known, found = vectors.of(spelled)
    rows = torch.tensor(known, dtype=torch.long)
    for table in network.embeddings:
        table.set_vectors(rows, torch.from_numpy(found))
    return {"entries": len(tokenizer), "known": len(known)}
