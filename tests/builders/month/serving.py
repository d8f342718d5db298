"""The site of a night on real sockets, and what it was asked for."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from builders.month.pages import OVERLOADED, mirror_responses, responses
from builders.month.site import HOST, MIRROR, Site
from verdicts.demo_site.responses import Response
from verdicts.demo_site.server import NOT_FOUND, serve

NOBODY = ("127.0.0.1", 9)
"""Nothing listens there."""

Addresses = Mapping[str, tuple[str, int]]


@dataclass
class Served(Mapping[str, Response]):
    """The pages of a host, and how often each path was asked for. An overloaded host says nothing else."""

    pages: Mapping[str, Response]
    asked: Counter[str]
    is_overloaded: bool = False

    def __getitem__(self, path: str) -> Response:
        return self.pages[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)

    def get(self, path: str, default: Response | None = None) -> Response:
        self.asked[path] += 1
        return OVERLOADED if self.is_overloaded else self.pages.get(path, default or NOT_FOUND)


@dataclass(frozen=True)
class Serving:
    """Where the hosts of a night answer, and what they were asked for so far."""

    addresses: Addresses
    site: Served
    mirror: Served

    @property
    def requests(self) -> int:
        return self.site.asked.total() + self.mirror.asked.total()


@contextmanager
def served(site: Site) -> Iterator[Serving]:
    own = Served(responses(site), Counter(), site.condition == "overloaded")
    mirror = Served(mirror_responses(site), Counter())
    with (
        serve(own, hosts=frozenset({HOST})) as address,
        serve(mirror, hosts=frozenset({MIRROR})) as mirror_address,
    ):
        is_there = site.condition != "refusing"
        yield Serving({HOST: address if is_there else NOBODY, MIRROR: mirror_address}, own, mirror)
