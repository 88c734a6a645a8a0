"""Connections to public addresses only, for a service that fetches what strangers name.

A name is resolved once, what it resolves to is checked, and that address is connected to: a name that resolves to
another address a moment later (DNS rebinding) gains nothing. Every redirection makes a connection, so each is checked.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import urllib.request
from typing import Any

from nutgraf.errors import InputError

PORTS = {80, 443}
"""Ports that are connected to; others are those of services that are not for the public."""

MOST_TRIED = 4
"""Addresses of a name that are connected to, one after the other, until one answers."""

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_OF_NETWORKS = tuple(map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
"""Addresses of protocols and of hosts of clouds, some of which the standard library takes for public ones."""


def is_public(address: str) -> bool:
    """Return True for an IP address that anybody on the internet reaches, and that stands for no other one."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        stands_for_another = ip.sixtofour is not None or ip.teredo is not None
        return ip in _GLOBAL_UNICAST and ip.is_global and not stands_for_another
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _OF_NETWORKS)


class _Connection(http.client.HTTPConnection):
    def connect(self) -> None:
        """Connect to a public address."""
        self.sock = _connected(self.host, self.port, self.timeout)


class _SecureConnection(http.client.HTTPSConnection):
    def connect(self) -> None:
        """Connect to a public address, and verify that it has a certificate for the name."""
        context: Any = self._context  # type: ignore[attr-defined]
        self.sock = context.wrap_socket(_connected(self.host, self.port, self.timeout), server_hostname=self.host)


class PublicHTTP(urllib.request.HTTPHandler):
    """Opens http:// at public addresses."""

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a request."""
        return self.do_open(_Connection, request)


class PublicHTTPS(urllib.request.HTTPSHandler):
    """Opens https:// at public addresses."""

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a request."""
        return self.do_open(_SecureConnection, request)


def _connected(host: str, port: int, timeout: float | None) -> socket.socket:
    """Return a socket to the first address of a host that answers. Raises InputError if one of them is not public."""
    if port not in PORTS:
        raise InputError(f"{host} cannot be fetched: only the ports of web pages, 80 and 443, are asked, not {port}.")
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not all(is_public(str(address[0])) for *_, address in found):
        raise InputError(f"{host} cannot be fetched: it is no public address.")
    problem: OSError = OSError("it has no address")
    for family, kind, protocol, _, address in found[:MOST_TRIED]:
        one = socket.socket(family, kind, protocol)
        try:
            one.settimeout(timeout)
            one.connect(address)
        except OSError as error:
            one.close()
            problem = error
        else:
            return one
    raise problem
