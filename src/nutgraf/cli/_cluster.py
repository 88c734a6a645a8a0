"""The pool of a cluster, for the commands that have --cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nutgraf.batch import Lanes


@contextmanager
def pool_of(cluster: str | None, device: str = "auto") -> Iterator[Callable[..., Lanes] | None]:
    """Yield what makes pools of a cluster's actors, connected to the cluster meanwhile; None where none is named.

    Raises:
        MissingPackage: If Ray is not installed.
        InputError: If there is no such cluster, or it has no GPU.
    """
    if cluster is None:
        yield None
        return
    from nutgraf.batch.cluster import connected

    with connected(cluster, gpus=device.startswith("cuda")) as pool:
        yield pool
