"""A processor from outside: one token is never written."""

from dataclasses import dataclass

from nutgraf.decoding.processors import NEVER, LogitsProcessor


@dataclass(frozen=True)
class Config:
    """One token is never written."""

    token: int = 4
    """Number of the token."""


class ForbidToken(LogitsProcessor):
    """Forbids one token."""

    def __call__(self, log_probs, hypotheses) -> None:
        """See LogitsProcessor."""
        log_probs[..., self.config.token] = NEVER
