"""Random numbers of a training step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def drawing(device: torch.device, *numbers: int) -> Iterator[None]:
    """Seed torch by some numbers in this context; afterwards its generators go on where they were."""
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(int(np.random.SeedSequence(numbers).generate_state(1)[0]))
        yield
