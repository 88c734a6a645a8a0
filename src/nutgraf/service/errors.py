"""Errors of the service besides those of the library."""

from __future__ import annotations

from nutgraf.errors import ServiceError


class Busy(ServiceError):
    """The queue is full; `retry_after` is the time until a place in it should be free."""


class Crowded(ServiceError):
    """The bodies that are held leave no room for another one, or the connections do."""


class Loading(ServiceError):
    """The systems are not loaded yet."""


class Stopping(ServiceError):
    """The service is about to end and takes no more requests."""


class TooLarge(ServiceError):
    """A request exceeds a limit of size."""
