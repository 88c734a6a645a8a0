"""Copying guided by the centrality of the source's words. Xu et al. 2020 (SAGCopy), Sec. 4, Eq. 17.

    a_t = softmax((W_s s_t)ᵀ (W_h hᵢ + w_p · scoreᵢ) / √d_k)

Words are copied with the decoder's last cross-attention itself, so the context changes with it. w_p is as wide as that
attention's keys, a part for each head, and begins at zero: a network that was trained with another head is unchanged at
first, and is "MASS + copy" as long as w_p stays zero.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.head import HeadContext, _copying
from nutgraf.model.ops.centrality import indegree, outdegree
from nutgraf.model.records import EncoderOutput, SelfAttentionGraph
from nutgraf.presets.ranges import PositiveInt, PositiveShare


@dataclass(frozen=True)
class Config(_copying.Config):
    """Copying guided by centrality (SAGCopy)."""

    p_copy_input: Literal["state", "context_state_input"] = "context_state_input"
    centrality: Literal["outdegree", "indegree"] = "outdegree"
    """Centrality in the self-attention graph."""

    iterations: PositiveInt = 1
    """Steps of indegree centrality."""

    damping: PositiveShare = 1.0
    """Damping of indegree centrality from its second step on; 1 is none."""

    detach: bool = False
    """No gradient flows through centrality into the encoder."""

    guide_keys: Literal["score", "times_length", "none"] = "score"
    """Factor of w_p in Eq. 17 of Xu et al. 2020: the score, or the score times the source's length; "none" leaves keys
    as they are."""


EXAMPLES = (
    Config(continuation=2),
    Config(centrality="indegree", iterations=2, guide_keys="times_length"),
    Config(centrality="indegree", guide_keys="none"),
)


class Guided(_copying.Copying):
    """Copying guided by the centrality of the source's words."""

    needs_graph = True
    config: Config

    def __init__(self, config: Config, context: HeadContext) -> None:
        super().__init__(config, context)
        self.centrality_weight: nn.Parameter | None = None
        if config.guide_keys == "none":
            return
        width = context.decoder.guided_keys_dim
        if width is None:
            raise PresetError(
                f"A {type(context.decoder).__name__.lower()} decoder cannot be guided by centrality; a transformer "
                'can. With head.guide_keys = "none" only the objective knows of centrality.'
            )
        self.centrality_weight = nn.Parameter(torch.zeros(width))

    def prepare(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Return the encoded sources with centrality and with w_p · score for the decoder's keys; without the graph."""
        assert encoder_output.graph is not None
        score = self._centrality(encoder_output.graph)
        prepared = replace(encoder_output, graph=None, centrality=score)
        if self.centrality_weight is None:
            return prepared
        strength = score
        if self.config.guide_keys == "times_length":
            strength = score * (~encoder_output.key_padding_mask).sum(-1, keepdim=True)
        return replace(prepared, guided_keys=strength[..., None] * self.centrality_weight)

    def _centrality(self, graph: SelfAttentionGraph) -> Float[Tensor, "batch source"]:
        config = self.config
        if config.detach:
            graph = SelfAttentionGraph(graph.query.detach(), graph.key.detach(), graph.key_padding_mask)
        if config.centrality == "outdegree":
            return outdegree(graph)
        return indegree(graph, config.iterations, config.damping)
