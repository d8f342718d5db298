"""Lists of tools, reviews and pages: each is a named question, its filters are the parameters of the question.

A second question counts the values of its facets, the filters that are links. Both stand in `queries/`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from verdicts.explore.visit import Download, QuestionAnswer, Value, View, Visit, address, write_csv
from verdicts.warehouse.serving.name_lookup import values_meant
from verdicts.warehouse.serving.named_queries import Query, query_named

ALL = 10**15
"""A limit that no list reaches."""

SHOWN = 12
"""The most values of a facet that are shown at first."""

NOT_FILTERS = ("sort", "direction", "limit", "offset")

OF_PANEL = frozenset(
    {
        "verdict",
        "category",
        "reviewer",
        "attribution",
        "score_from",
        "score_to",
        "price_from",
        "price_to",
        "panel",
        "community",
        "mean",
    }
)
"""Filters and orders of a panel's tools, which are not offered in a corpus without a panel."""

TITLES = MappingProxyType(
    {
        "words": "Words",
        "kind": "Kind",
        "host": "Host",
        "panel": "Panel",
        "reviewer": "Reviewer",
        "panel_verdict": "Verdict",
        "category": "Category",
        "entry": "Entry",
        "attribution": "Evidence",
        "score_from": "Score from",
        "score_to": "Score to",
        "price_from": "Price from",
        "price_to": "Price to",
    }
)
"""A filter's name to its title in forms, in their order."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list by its name. `sorts`: each order of the question with its title, the usual one first."""

    name: str
    record: str
    sorts: Mapping[str, str]
    title: str
    noun: str

    @property
    def query(self) -> Query:
        return query_named(f"list_{self.name}")

    @property
    def parts(self) -> dict[str, str]:
        return {"rows": self.query.name, "facets": f"{self.record}_facets"}

    @property
    def filters(self) -> list[str]:
        return [parameter.name for parameter in self.query.parameters if parameter.name not in NOT_FILTERS]

    def page(self, visit: Visit) -> View:
        """`/NAME`: its rows with filters, facets, order and pages. Raises QuestionFailed for a value without rows."""
        limit, offset = visit.window()
        meant = values_meant(visit.copy.connection, self.query, visit.values)
        visit = replace(visit, values={name: str(meant[name]) for name in visit.values})
        sort, is_reversed = meant["sort"], meant.get("direction") == "reversed"
        chosen = {name: visit.values[name] for name in self.filters if name in visit.values}
        values: dict[str, Value] = {**visit.values}
        rows = visit.ask(self.query.name, **values | {"limit": limit, "offset": offset})
        first = rows if rows.rows or not offset else visit.ask(self.query.name, **values | {"limit": 1, "offset": 0})
        facets = visit.ask(f"{self.record}_facets", **chosen)
        total = first.first[f"{self.name}_found"] if first.first else 0
        after = offset + limit
        return View(
            self.name,
            listing=self,
            rows=rows,
            facets=facets,
            groups=self._groups(visit, facets, chosen),
            shown_filters=[name for name in self.filters if visit.copy.has_panel or name not in OF_PANEL],
            known={parameter.name: parameter.values for parameter in self.query.parameters if parameter.values},
            titles=TITLES,
            given={name: visit.values.get(name) for name in self.filters},
            chosen=chosen,
            sort=sort,
            orders={
                name: (title, self._address(visit, sort=name, direction=None))
                for name, title in self.sorts.items()
                if visit.copy.has_panel or name not in OF_PANEL
            },
            is_reversed=is_reversed,
            reverse=self._address(visit, direction=None if is_reversed else "reversed"),
            shown=SHOWN,
            csv=address(f"/{self.name}.csv", {**visit.values, "limit": None, "offset": None}),
            total=total,
            first=offset + 1,
            before=self._address(visit, offset=str(max(0, offset - limit))) if offset else None,
            next=self._address(visit, offset=str(after)) if after < total else None,
        )

    def csv(self, visit: Visit) -> Download:
        """`/NAME.csv`: all rows that the filters let through. Raises Refused, QuestionFailed."""
        visit.refuse_others()
        every = {**visit.values, "limit": str(ALL)}
        return Download(f"{self.name}.csv", "text/csv", write_csv(visit.copy, self.query.name, every))

    def _address(self, visit: Visit, **changes: str | None) -> str:
        """The list with other values; another filter or order begins at the first row."""
        return address(f"/{self.name}{'.json' if visit.is_json else ''}", {**visit.values, "offset": None, **changes})

    def _groups(
        self, visit: Visit, facets: QuestionAnswer, chosen: Mapping[str, str]
    ) -> dict[str, list[tuple[str, int, str, bool]]]:
        """Each facet with its values: count, the address that adds or removes the filter, and whether it is set."""
        groups: dict[str, list[tuple[str, int, str, bool]]] = {}
        for row in facets.rows:
            facet, value, count = row["facet"], row["value"], row[self.name]
            is_set = chosen.get(facet) == value
            link = self._address(visit, **{facet: None if is_set else value})
            groups.setdefault(facet, []).append((value, count, link, is_set))
        return groups


LISTS = (
    Listing(
        "tools",
        "tool",
        MappingProxyType(
            {
                "mean": "highest mean",
                "panel": "highest panel %",
                "community": "highest community %",
                "spread": "widest scores",
                "price": "lowest price",
                "changed": "last changed",
                "reviews": "most reviews",
                "pages": "most pages",
                "name": "name",
            }
        ),
        "Tools",
        "tool",
    ),
    Listing(
        "reviews",
        "review",
        MappingProxyType(
            {
                "newest": "newest",
                "highest": "highest score",
                "lowest": "lowest score",
                "doubtful": "least certain",
                "name": "tool",
            }
        ),
        "Reviews",
        "review",
    ),
    Listing(
        "pages",
        "page",
        MappingProxyType({"newest": "newest", "panel": "largest lead", "mean": "means differ most", "title": "title"}),
        "Pages",
        "page",
    ),
    Listing(
        "mentioned",
        "mentioned",
        MappingProxyType({"pages": "most pages", "rank": "best rank", "rating": "best rating", "name": "name"}),
        "Tools on pages",
        "tool",
    ),
)
