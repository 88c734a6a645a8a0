"""Words begin with vectors that were learned elsewhere, from a file of the user's own."""

from __future__ import annotations

import torch

from nutgraf.errors import PresetError
from nutgraf.model.seq2seq import Config, Seq2Seq
from nutgraf.presets import Preset
from nutgraf.text.word_vectors import WordVectors, read_word_vectors
from nutgraf.tokenizers import SPECIAL_TOKENS, Tokenizer


def vectors_of(preset: Preset) -> WordVectors | None:
    """Those of the file that `model.embedding.vectors` names, if it does.

    Raises InputError for a file that cannot be read, PresetError for one whose vectors do not fit the table.
    """
    model: Config = preset.options("model")
    embedded = model.embedding
    if embedded.vectors is None:
        return None
    vectors = read_word_vectors(embedded.vectors)
    columns = embedded.embedding_dim or model.d_model
    if vectors.dimensions != columns:
        raise PresetError(
            f"The vectors of {embedded.vectors} have {vectors.dimensions} numbers each, the table of words {columns}: "
            f"model.embedding.embedding_dim = {vectors.dimensions} makes them fit, and a learned projection follows."
        )
    return vectors


def begin_with(vectors: WordVectors, network: Seq2Seq, tokenizer: Tokenizer) -> dict[str, int]:
    """Put them into the network's tables; how many entries of the tokenizer have one. A piece of a word begins with the
    vector of the word that is spelled so."""
    spelled = [tokenizer.decode([text]) if text not in SPECIAL_TOKENS else "" for text in tokenizer.tokens]
    known, found = vectors.of(spelled)
    rows = torch.tensor(known, dtype=torch.long)
    for table in (network.source_embedding, network.target_embedding):
        table.put(rows, torch.from_numpy(found))
    return {"entries": len(tokenizer), "known": len(known)}
