"""Lists of tools, takes and pages: each is a named question, its filters are the parameters of the question.

A second question counts the values of its facets, the filters that are links. Both stand in `queries/`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from verdicts.corpus.enumerations import ATTRIBUTIONS, SEATS, VERDICTS
from verdicts.explore.visit import Asked, Download, Value, View, Visit, address, csv_of
from verdicts.warehouse.serving.named_queries import Query, query_named
from verdicts.warehouse.storage.errors import QuestionFailed

ALL = 2**62
"""A limit that no list reaches."""

NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")

SHOWN = 12
"""Values of a facet before those that are folded away."""

NOT_FILTERS = ("sort", "limit", "offset")

TITLES = MappingProxyType(
    {
        "words": "Words",
        "seat": "Seat",
        "verdict": "Verdict",
        "category": "Category",
        "entry": "Entry",
        "attribution": "Known as",
        "score_from": "Score from",
        "score_to": "Score to",
        "price_from": "Price from",
        "price_to": "Price to",
    }
)
"""A filter's name to its title in forms, in their order."""

NONE = "none"
"""The value of a filter for rows that have no value."""

DECLARED = MappingProxyType(
    {"seat": (*SEATS, NONE), "attribution": ATTRIBUTIONS, "verdict": (*VERDICTS, NONE), "entry": ("Free", "Paid", NONE)}
)
"""Values of a filter that are no mistake even where no row has them."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list by its name. `sorts`: each order of the question with its title, the usual one first."""

    name: str
    record: str
    sorts: Mapping[str, str]

    @property
    def query(self) -> Query:
        return query_named(f"list_{self.name}")

    @property
    def filters(self) -> list[str]:
        return [known.name for known in self.query.parameters if known.name not in NOT_FILTERS]

    def page(self, visit: Visit) -> View:
        """`/NAME`: its rows with filters, facets, order and pages. Raises QuestionFailed for a value without rows."""
        limit, offset = visit.window()
        sort = self._sort(visit)
        chosen = {name: visit.values[name] for name in self.filters if name in visit.values}
        for name, value in chosen.items():
            if name.endswith(("_from", "_to")) and not NUMBER.fullmatch(value):
                raise QuestionFailed(f"{TITLES[name]} is a number such as 12.5, not {value}")
        asked: dict[str, Value] = {**visit.values, "sort": sort}
        rows = visit.ask(self.query.name, **asked | {"limit": limit, "offset": offset})
        first = rows if rows.rows or not offset else visit.ask(self.query.name, **asked | {"limit": 1, "offset": 0})
        facets = visit.ask(f"{self.record}_facets", **chosen)
        if first.first is None:
            self._check_values(visit, chosen)
        found = first.first[f"{self.name}_found"] if first.first else 0
        after = offset + limit
        return View(
            self.name,
            listing=self,
            rows=rows,
            facets=facets,
            groups=self._groups(visit, facets, chosen),
            known=DECLARED,
            titles=TITLES,
            given={name: visit.values.get(name) for name in self.filters},
            chosen=chosen,
            sort=sort,
            orders={name: (title, self._address(visit, sort=name)) for name, title in self.sorts.items()},
            shown=SHOWN,
            csv=address(f"/{self.name}.csv", {**visit.values, "limit": None, "offset": None}),
            total=found,
            first=offset + 1,
            before=self._address(visit, offset=str(max(0, offset - limit))) if offset else None,
            next=self._address(visit, offset=str(after)) if after < found else None,
        )

    def csv(self, visit: Visit) -> Download:
        """`/NAME.csv`: all rows that the filters let through. Raises Refused, QuestionFailed."""
        visit.refuse_others()
        every = {**visit.values, "sort": self._sort(visit), "limit": str(ALL)}
        return Download(f"{self.name}.csv", "text/csv", csv_of(visit.copy, self.query.name, every))

    def _sort(self, visit: Visit) -> str:
        sort = visit.values.get("sort", next(iter(self.sorts)))
        if sort not in self.sorts:
            raise QuestionFailed(f"{self.name} are not sorted by {sort}, but by {', '.join(self.sorts)}")
        return sort

    def _address(self, visit: Visit, **other: str | None) -> str:
        """The list with other values; another filter or order begins at the first row."""
        return address(f"/{self.name}{'.json' if visit.is_json else ''}", {**visit.values, "offset": None, **other})

    def _groups(
        self, visit: Visit, facets: Asked, chosen: Mapping[str, str]
    ) -> dict[str, list[tuple[str, int, str, bool]]]:
        """Each facet with its values: count, the address that adds or removes the filter, and whether it is set."""
        groups: dict[str, list[tuple[str, int, str, bool]]] = {}
        for row in facets.rows:
            facet, value, count = row["facet"], row["value"], row[self.name]
            is_set = chosen.get(facet) == value
            link = self._address(visit, **{facet: None if is_set else value})
            groups.setdefault(facet, []).append((value, count, link, is_set))
        return groups

    def _check_values(self, visit: Visit, chosen: Mapping[str, str]) -> None:
        """Raises QuestionFailed if a value of a filter is on no row at all, with those that look like it."""
        every = visit.ask(f"{self.record}_facets").rows
        for name, value in chosen.items():
            known = {row["value"] for row in every if row["facet"] == name} | {*DECLARED.get(name, ())}
            if not known or value in known or visit.ask(self.query.name, **{name: value}, limit=1).rows:
                continue
            folded = {one.casefold(): one for one in known}
            near = [folded[one] for one in get_close_matches(value.casefold(), folded)]
            meant = f"; did you mean {' or '.join(near)}?" if near else f"; known are {', '.join(sorted(known)[:12])}"
            raise QuestionFailed(f"no {self.record} has the {TITLES[name].lower()} {value}{meant}")


LISTS = (
    Listing(
        "tools",
        "tool",
        MappingProxyType(
            {"mean": "Mean", "panel": "Panel %", "spread": "Seats", "takes": "Takes", "pages": "Pages", "name": "Tool"}
        ),
    ),
    Listing(
        "takes",
        "take",
        MappingProxyType(
            {
                "newest": "newest",
                "highest": "highest score",
                "lowest": "lowest score",
                "doubtful": "least certain",
                "name": "tool",
            }
        ),
    ),
    Listing(
        "pages",
        "page",
        MappingProxyType({"newest": "newest", "panel": "panels differ", "mean": "means differ", "title": "title"}),
    ),
)
