"""What a corpus says, by the keys of the site's answer key; and how two of them differ."""

from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from builders.month.key import Key, Seen

SHOWN_MOST = 3
"""Differences of a check that are told."""

Ids = dict[tuple[str, Any], str]


class Corpus:
    """A corpus, read once. `numbers` and `takes` lead from slugs and texts to the site's numbers."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, seen: Seen) -> None:
        self.seen = seen
        self._connection = connection
        first_slugs = seen.find_first_slugs()
        self.tools = {tool_id: first_slugs.get(slug, slug) for tool_id, slug in self._rows("tool_id, slug", "tools")}
        self.numbers = {tool_id: seen.numbers.get(key) for tool_id, key in self.tools.items()}
        self.tool_rows = self._rows("tool_id, name, category, entry, description", "tools")
        self.pages = dict(self._rows("page_id, url", "pages"))
        self.answers = self._read_key()
        self.problems = [*self._problems()]
        self.ids = self._ids()

    def _rows(self, columns: str, table: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(f"SELECT {columns} FROM {table} ORDER BY ALL").fetchall()

    def _read_key(self) -> Key:
        cards = "name, tagline, category, panel_ship_pct, chip, community_pct, entry, description"
        verdicts = "panel_verdict, ship_votes, skip_votes, community_pct, community_votes, pricing, best_for, category"
        tools = "name, tagline, description, category, entry"
        votes = "panel_verdict, ship_votes, skip_votes, panel_ship_pct, community_pct, community_votes, pricing"
        prices: dict[Any, list[Any]] = {
            self.tools[tool_id]: [] for (tool_id,) in self._rows("tool_id", "pricing_tiers")
        }
        for tool_id, _, *tier in self._rows(
            "tool_id, tier_number, plan, amount, period", "pricing_tiers WHERE kind = 'paid'"
        ):
            prices[self.tools[tool_id]].append(tuple(tier))
        texts = self._rows("page_id, text, review_id", "appearances")
        takes = self.seen.takes
        self.reviews = {review_id: takes.get(text, text) for _, text, review_id in texts}
        # A take that is edited and moved to another tool again and again may have an older review, which no page shows.
        columns = "is_shown, review_id, tool_id, reviewer, score, verdict, attribution = 'observed'"
        says = self._rows(columns, "reviews")
        return {
            "pages": {
                url: (title, gone)
                for url, title, gone in self._rows("url, title, is_gone", "pages WHERE kind = 'panel'")
            },
            "tools": {self.tools[tool_id]: tuple(row) for tool_id, *row in self.tool_rows},
            "cards": self._read_pages("evidence.tool_cards", cards),
            "verdicts": self._read_pages("verdicts", verdicts),
            "prices": prices,
            "who said what": {self.reviews[review]: (self.numbers[tool], *row) for _, review, tool, *row in says},
            "scorecards": {
                self.numbers[tool]: tuple(row)
                for tool, *row in self._rows(
                    "tool_id, reviews, mean_score, panel_verdict, ship_votes, skip_votes, panel_ship_pct", "tools"
                )
                if row[0]
            },
            "appearances": {(self.pages[page], text): self.reviews[review] for page, text, review in texts},
            "tool history": self._history("history.tool_history", "tool_id", tools),
            "price history": self._history("history.price_history", "tool_id", "pricing"),
            "verdict history": self._history("history.verdict_history", "page_id, tool_id", votes),
        }

    def _read_pages(self, table: str, columns: str) -> dict[Any, tuple[Any, ...]]:
        rows = self._rows(f"page_id, tool_id, {columns}", table)
        return {(self.pages[page], self.numbers[tool]): tuple(row) for page, tool, *row in rows}

    def _history(self, table: str, key: str, columns: str) -> dict[Any, list[Any]]:
        found: dict[Any, list[Any]] = {}
        for row in self._rows(f"{key}, valid_from, {columns}", table):
            *ids, since = row[: len(key.split(", ")) + 1]
            state = tuple(row[len(ids) + 1 :])
            of = (self.pages[ids[0]], self.numbers[ids[1]]) if len(ids) == 2 else self.tools[ids[0]]
            found.setdefault(of, []).append((since.date(), state))
        return found

    def _problems(self) -> Iterator[str]:
        """What a comparison by keys cannot show: two rows for one thing."""
        for what, things in (("tools", self.tools.values()), ("takes", self.reviews.values())):
            many = [thing for thing in set(things) if [*things].count(thing) > 1]
            if many:
                yield f"{what}: {len(many)} stand in two rows or more, such as {many[0]}"

    def _ids(self) -> Ids:
        found: Ids = {("tool", key): tool_id for tool_id, key in self.tools.items()}
        found |= {("take", number): review_id for review_id, number in self.reviews.items()}
        return found | {("page", url): page_id for page_id, url in self.pages.items()}


def differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """What the corpus lacks, has too much, or says otherwise; a few of each check."""
    problems = []
    for check, rows in expected.items():
        lacking, extra = rows.keys() - found[check].keys(), found[check].keys() - rows.keys()
        other = [key for key in rows.keys() & found[check].keys() if rows[key] != found[check][key]]
        for what, keys in (("lacks", lacking), ("has too much", extra), ("differs", other)):
            for key in sorted(keys, key=repr)[:SHOWN_MOST]:
                shown = f": {rows[key]} is {found[check][key]}" if what == "differs" else ""
                problems.append(f"{check} ({len(keys)}): {what} {key}{shown}")
    return problems


def find_changed_ids(before: Ids, now: Ids) -> list[str]:
    """Ids of what was there before and has another id now; a page that moved has that of its new address."""
    return [
        f"id of {key}: {before[key]} became {now[key]}" for key in before.keys() & now.keys() if before[key] != now[key]
    ]
