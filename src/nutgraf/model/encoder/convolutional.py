"""The convolutional encoder (Gehring et al. 2017, Sec. 3.2–3.5).

    z⁰ = W e + b        zˡ = (GLU(Wˡ · window(zˡ⁻¹) + bˡ) + zˡ⁻¹) · √½        z = W′ zᴸ + b′

The decoder attends with z as keys and (z + e) · √½, which still holds the word itself, as values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.convolution import HALF, GatedConvolution, WeightNormLinear
from nutgraf.model.encoder import Encoder
from nutgraf.model.layers import Size
from nutgraf.model.records import Batch, EncoderOutput
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt


@dataclass(frozen=True)
class Config:
    """A convolutional encoder."""

    num_layers: PositiveInt = 8
    """Number of convolutional layers."""

    channels: PositiveInt = 512
    """Width of the layers."""

    kernel_size: PositiveInt = 3
    """Words a convolution sees, an odd number."""

    cross_attention_layers: NonNegativeInt = 8
    """Layers of the decoder that attend to the source: gradients are divided by twice as many (Gehring et al. 2017,
    Sec. 3.4); 0 leaves them."""

    def __post_init__(self) -> None:
        if self.kernel_size % 2 == 0:
            raise ValueError("kernel_size is an odd number: as many words stand before a window's own as after it")


EXAMPLES = (Config(num_layers=3, channels=13, cross_attention_layers=2),)


class Convolutional(Encoder):
    """Gated convolutions, each of which sees a little farther."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.config, self.hidden_size = config, size.d_model
        self.in_proj = WeightNormLinear(size.d_model, config.channels, kept=1 - size.dropout)
        self.layers = nn.ModuleList(
            GatedConvolution(config.channels, config.kernel_size, size.dropout) for _ in range(config.num_layers)
        )
        self.out_proj = WeightNormLinear(config.channels, size.d_model)

    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return states as keys of the cross-attention, and its values."""
        states = self.in_proj(embedded).to(embedded.dtype)
        for layer in self.layers:
            states = (states + layer(states, self.config.kernel_size // 2, batch.padding)) * HALF
        states = self.out_proj(states)
        if self.config.cross_attention_layers and states.requires_grad:
            states.register_hook(lambda gradient: gradient / (2 * self.config.cross_attention_layers))
        return replace(EncoderOutput.of(batch, states), values=(states + embedded) * HALF)
