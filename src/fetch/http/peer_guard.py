"""Which addresses may be connected to. Vetted where the connection is made, so that rebinding DNS gains nothing."""

import socket
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from fetch.model.errors import Permanent


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet. IPv4 inside IPv6 is judged as IPv4."""
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found.sixtofour or found
    # Reserved are `::10.0.0.1` and `64:ff9b::10.0.0.1` too, which embed an IPv4 address and count as global.
    return found.is_global and not found.is_multicast and not found.is_reserved


@lru_cache(maxsize=1_000)
def literal_address(host: str) -> str | None:
    """The IP address that a host is, in any notation a socket takes: `2130706433`, `0x7f.1`, `::1`."""
    try:
        return str(ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def check_literal(host: str, *, allow_private: bool) -> None:
    """Literal addresses pass no resolver, so they are looked at before the request. Raises `Permanent`."""
    address = literal_address(host)
    if address is not None and not allow_private and not is_public(address):
        raise Permanent("blocked_address", f"{host} is {address}, which is not of the public internet")


class VettingResolver(AbstractResolver):
    """Resolves hosts and hands on public addresses only, but for the hosts that the config sends somewhere itself."""

    def __init__(self, resolve: Mapping[str, tuple[str, int]], *, allow_private: bool) -> None:
        self._fixed = resolve
        self._allow_private = allow_private
        self._system = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host. Raises `Permanent` (`blocked_address`) where none may be visited."""
        if host in self._fixed:
            address, fixed_port = self._fixed[host]
            kind = socket.AF_INET6 if ":" in address else socket.AF_INET
            found = [
                ResolveResult(
                    hostname=host, host=address, port=fixed_port, family=kind, proto=0, flags=socket.AI_NUMERICHOST
                )
            ]
        else:
            found = await self._system.resolve(host, port, family)
        allowed = [item for item in found if self._allow_private or is_public(item["host"])]
        if found and not allowed:
            raise Permanent(
                "blocked_address", f"{host} resolves to {found[0]['host']}, which is not of the public internet"
            )
        return allowed

    async def close(self) -> None:
        """Ends the system resolver."""
        await self._system.close()
