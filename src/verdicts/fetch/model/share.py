"""The share of hosts that one of several fetchers requests. Pure."""

import re
from dataclasses import dataclass
from hashlib import blake2b

FETCHERS_MAX = 256
"""Each host is hashed once for each fetcher."""

_WRITTEN = re.compile(r"(0|[1-9][0-9]{0,8})/([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Share:
    """Part `number` of `total`, from 1; by default all of it.

    A host belongs to the number whose hash with it is highest (rendezvous hashing: Thaler and Ravishankar, 1998), on
    every machine. One more fetcher takes over one host in `total`, and no host moves between the others.
    """

    number: int = 1
    total: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.total}"

    def has(self, host: str) -> bool:
        """Whether a host (`a.example`, `a.example:8080`) is of this share."""
        return self.number == max(range(1, self.total + 1), key=lambda number: _weigh(number, host))


WHOLE = Share()


def _weigh(number: int, host: str) -> bytes:
    return blake2b(f"{number} {host}".encode(), digest_size=8).digest()


def parse_share(written: object) -> Share:
    """The share `"2/4"`, the second of four. Raises `ValueError`."""
    if isinstance(written, Share):
        return written
    match = _WRITTEN.fullmatch(written) if isinstance(written, str) else None
    if match is None:
        raise ValueError(f"{written!r} is not a share of the hosts; write '2/4' for the second of four fetchers")
    number, total = map(int, match.groups())
    if total > FETCHERS_MAX:
        raise ValueError(f"{written!r} are more than {FETCHERS_MAX} fetchers")
    if not 1 <= number <= total:
        raise ValueError(f"{written!r}: fetchers are counted from 1, so write '1/{total}' to '{total}/{total}'")
    return Share(number, total)
