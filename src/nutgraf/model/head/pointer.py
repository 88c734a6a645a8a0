"""Copying with the decoder's cross-attention as it is.

It is the head of the CopyTransformer (Gehrmann et al. 2018, Fabbri et al. 2019), as OpenNMT-py's CopyGenerator, and of
the pointer-generator (See, Liu and Manning 2017, Eq. 8, 9).
"""

from __future__ import annotations

from nutgraf.model.head._copying import Config, Copying

__all__ = ["Config", "Pointer"]

EXAMPLES = (
    Config(),
    Config(continuation=2),
    Config(p_copy_input="context_state_input"),
    Config(p_copy_input="context_state_input", continuation=2),
)


class Pointer(Copying):
    """Copying with the decoder's cross-attention as it is."""
