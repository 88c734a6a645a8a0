"""Random numbers of a training step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def drawing(device: torch.device, *numbers: int) -> Iterator[None]:
    """Seed torch by some numbers in this context; afterwards its generators go on where they were."""
    on_gpu = device.type == "cuda"
    # `torch.manual_seed` formats the stack for each kind of GPU that is not there, which takes half a millisecond.
    seed = torch.manual_seed if on_gpu else torch.default_generator.manual_seed
    with torch.random.fork_rng([device] if on_gpu else []):
        seed(int(np.random.SeedSequence(numbers).generate_state(1)[0]))
        yield
