"""The source as ABS reads it: words, and the mean of each word's neighbourhood (Rush et al. 2015, Sec. 3.2).

    states = the embedded words x̃        valuesᵢ = (x̃ᵢ₋Q + … + x̃ᵢ₊Q) / (2Q + 1)

A decoder compares words and takes the means. Beyond either end of a text stand zeros.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Size
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import Batch, EncoderOutput
from nutgraf.presets.ranges import NonNegativeInt


@dataclass(frozen=True)
class Config:
    """Embedded words, averaged over their neighbourhoods."""

    radius: NonNegativeInt = 2
    """Words on either side that a word is averaged with, Q; 0: none."""


EXAMPLES = (Config(), Config(radius=0))


class LocalAverage(Encoder):
    """Leaves the embedded words as they are, and adds the means of their neighbourhoods as values."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.radius, self.hidden_size = config.radius, size.d_model
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the words as states, 0 at padding, and the means as values."""
        words = self.dropout(embedded)
        if batch.padding is not None:
            words = words.masked_fill(batch.padding[..., None], 0)
        means = F.avg_pool1d(words.transpose(1, 2), 2 * self.radius + 1, stride=1, padding=self.radius)
        return replace(EncoderOutput.of(batch, words), values=means.transpose(1, 2))
