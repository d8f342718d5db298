"""Which IP addresses may be connected to. Checked where the connection is made, so that DNS rebinding gains nothing."""

import socket
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from verdicts.fetch.model.errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet. IPv4 embedded in IPv6 is judged as IPv4."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        ip = ip.ipv4_mapped or ip.sixtofour or ip
    # `::10.0.0.1` and `64:ff9b::10.0.0.1` embed an IPv4 address and count as global, but are reserved.
    is_site_local = isinstance(ip, IPv6Address) and ip.is_site_local
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or is_site_local)


@lru_cache(maxsize=1_000)
def literal_address(host: str) -> str | None:
    """The IP address that a host is, in any notation a socket takes: `2130706433`, `0x7f.1`, `::1`; None for a name."""
    try:
        return str(ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def check_literal(host: str, *, allow_private: bool) -> None:
    """Raises `AttemptFailed` (`blocked_address`) for a host that is itself a private address: it passes no resolver."""
    address = literal_address(host)
    if address is not None and not allow_private and not is_public(address):
        raise AttemptFailed(Outcome.BLOCKED_ADDRESS, f"{host} is {address}, which is not of the public internet")


class PublicResolver(AbstractResolver):
    """Resolves hosts to public addresses only. `resolve` fixes address and port of some hosts; they are checked too."""

    def __init__(self, resolve: Mapping[str, tuple[str, int]], *, allow_private: bool) -> None:
        self._fixed = resolve
        self._allow_private = allow_private
        self._system = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The public addresses of a host. Raises `AttemptFailed` (`blocked_address`) where it has private ones only."""
        if host in self._fixed:
            results = [_fixed_result(host, *self._fixed[host])]
        else:
            results = await self._system.resolve(host, port, family)
        allowed = [result for result in results if self._allow_private or is_public(result["host"])]
        if results and not allowed:
            raise AttemptFailed(
                Outcome.BLOCKED_ADDRESS,
                f"{host} resolves to {results[0]['host']}, which is not of the public internet",
            )
        return allowed

    async def close(self) -> None:
        """Closes the system resolver."""
        await self._system.close()


def _fixed_result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)
