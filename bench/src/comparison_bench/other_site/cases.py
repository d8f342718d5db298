"""The pages of the gate: every kind in every layout, and seeded pairs of kinds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from random import Random

from comparison_bench.other_site.answers import Key, key_of
from comparison_bench.other_site.dumps import innertext_dump, quotes_dump
from comparison_bench.other_site.facts import pair_of
from comparison_bench.other_site.kinds.kind import KINDS, Demand, Kind, fit_together, medium_of, page_with
from comparison_bench.other_site.layouts import LAYOUTS, html_page
from comparison_bench.other_site.page import CUT, Page

HOST = "demo.verdicts.example"
FORMS = (*LAYOUTS, "innertext", "quotes")
"""Layouts of HTML, and the two text dumps."""

PLAIN = Kind("plain", "nothing odd")


@dataclass(frozen=True)
class Case:
    """One page: which kinds it is of, in which layout, from which seed."""

    kinds: tuple[Kind, ...]
    layout: str
    seed: int

    @property
    def family(self) -> str:
        return self.kinds[0].family if len(self.kinds) == 1 else "pairs"

    @property
    def name(self) -> str:
        return " + ".join(kind.name for kind in self.kinds)

    @property
    def demand(self) -> Demand:
        demands = {kind.demand_in(self.layout) for kind in self.kinds}
        return next(demand for demand in ("doubted", "right or doubted", "right") if demand in demands)

    @cached_property
    def page(self) -> Page:
        random = self._random()
        return page_with(self.kinds, pair_of(random), random)

    @cached_property
    def body(self) -> bytes:
        return written(self.page, self.layout).encode()

    @property
    def media_type(self) -> str:
        return "text/html; charset=utf-8" if medium_of(self.layout) == "html" else "text/plain; charset=utf-8"

    @property
    def url(self) -> str:
        pair = self.page.pair
        return f"https://{HOST}/compare/{pair.a.slug}-vs-{pair.b.slug}"

    @property
    def key(self) -> Key:
        medium = medium_of(self.layout)
        return key_of(self.page, medium, is_linked=medium == "html" and is_linked(self.layout))

    def _random(self) -> Random:
        return Random(f"{self.name}/{self.layout}/{self.seed}")


def is_linked(layout: str) -> bool:
    """Whether names link to the tools' own pages."""
    tags = LAYOUTS[layout]
    return "{href}" in tags.get("card", tags.get("cards_table", {})).get("name", "{href}")


def written(page: Page, layout: str) -> str:
    if layout == "quotes":
        whole = quotes_dump(page)
    elif layout == "innertext":
        whole = innertext_dump(page)
    else:
        whole = html_page(page, LAYOUTS[layout])
    return whole.partition(CUT)[0]


def singles(seeds: Iterable[int] = (0, 1), forms: Sequence[str] = FORMS) -> Iterator[Case]:
    """Every kind, and none, in every layout that it fits."""
    for seed in seeds:
        for kind in (PLAIN, *KINDS):
            yield from (Case((kind,), form, seed) for form in forms if kind.fits(form))


def pairs(count: int, seed: int = 0) -> Iterator[Case]:
    """That many pages of two kinds that fit together, drawn from all of them."""
    random = Random(f"pairs {seed}")
    drawn = [kinds for kinds in combinations(KINDS, 2) if fit_together(*kinds)]
    for number, kinds in enumerate(random.choices(drawn, k=count)):
        forms = [form for form in FORMS if all(kind.fits(form) for kind in kinds)]
        if forms:
            yield Case(kinds, random.choice(forms), number)


def share(seed: int = 0) -> Iterator[Case]:
    """What the tests read: each kind in four forms, drawn anew for each, and 120 pairs."""
    random = Random(f"share {seed}")
    for kind in (PLAIN, *KINDS):
        forms = [form for form in FORMS if kind.fits(form)]
        yield from (Case((kind,), form, seed) for form in random.sample(forms, k=min(4, len(forms))))
    yield from pairs(120, seed)


def digest(cases: Iterable[Case]) -> str:
    """SHA-256 of all pages and their keys."""
    total = sha256()
    for case in cases:
        total.update(case.body + repr(case.key).encode())
    return total.hexdigest()
