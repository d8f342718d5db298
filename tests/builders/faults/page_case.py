"""Pages in a raw store and one build of them: each page is read or refused, and its neighbours' rows are as ever."""

import resource
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import duckdb

from builders.faults.crawl_case import START, in_words
from verdicts.corpus.tables import name_relation
from verdicts.demo_site.responses import build_site
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.steps import build_corpus

OTHER, DEMO = "http://other.example", "http://demo.verdicts.example"
CRAWL = "20261101T013000Z-aaaa"


@cache
def good() -> list[tuple[str, bytes]]:
    """Addresses and bodies of the neighbours."""
    return [(f"{DEMO}{path}", item.body) for path, item in build_site().items() if path.startswith("/compare/")][:3]


SECONDS, SECONDS_EACH = 20.0, 8.0
"""Bounds of a build in CPU time: for all of it, and for each page (five seconds to read, and its share of the rest)."""

Rows: TypeAlias = list[list[tuple[object, ...]]]

ANY = frozenset({"page", "document", "reject"})
READ = frozenset({"page", "document"})


@dataclass(frozen=True)
class PageCase:
    """A page and what the corpus must say of it.

    `body` may be made when it is needed. `kinds`: page, document, reject, or the reason of a reject. `has`: texts that
    its stored texts hold; `lacks`: that none of them holds. `asks`: SQL with $url, and the values that its first column
    may have. `is_doubted`: a discrepancy or reject names the page.
    """

    name: str
    rule: str
    body: bytes | Callable[[], bytes]
    content_type: str | None = "text/html"
    site: str = OTHER
    path: str | None = None
    kinds: frozenset[str] = ANY
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    asks: Mapping[str, frozenset[object]] = field(default_factory=dict)
    is_doubted: bool = False
    kind: str = ""


def address(case: PageCase, number: int) -> str:
    return f"{case.site}{case.path or f'/review/{number}'}"


def fell(cases: Sequence[PageCase], data: Path, neighbours: Rows | None = None) -> list[list[str]]:
    """For each page what was seen that its rule forbids; one build for all. `neighbours`: as `read_good` has them."""
    began = _cpu()
    try:
        corpus = _build(
            [(address(case, number), case.content_type, _body(case)) for number, case in enumerate(cases)],
            data,
        )
    except Exception as error:  # whatever ends the build is what is looked for
        return [[f"the build ended with {in_words(error)}"]] * len(cases)
    took = _cpu() - began
    everybody = [f"the build took {took:.0f} s of CPU"] if took > SECONDS + SECONDS_EACH * len(cases) else []
    with duckdb.connect(str(corpus), read_only=True) as connection:
        if neighbours is not None and _neighbours(connection) != neighbours:
            everybody.append("rows of the neighbours differ")
        if len(_neighbours(connection)[0]) != 2 * len(good()):
            everybody.append("a neighbour's cards are missing")
        return [
            [*everybody, *_complaints(connection, case, address(case, number))] for number, case in enumerate(cases)
        ]


def _body(case: PageCase) -> bytes:
    return case.body() if callable(case.body) else case.body


def _cpu() -> float:
    """Seconds of CPU time of this process and of the workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)


def _build(pages: list[tuple[str, str | None, bytes]], data: Path) -> Path:
    with open_store(data, command="test") as store:
        crawl_id = store.begin(CRAWL, "crawl", START).crawl_id
        with store.transaction():
            for url, content_type, body in [*pages, *((url, "text/html", body) for url, body in good())]:
                headers = () if content_type is None else (("content-type", content_type),)
                store.keep(Snapshot(url, url, START, 200, headers, body, crawl_id))
        store.finish(crawl_id, START)
        build_corpus(store, DataFolder(data))
    return DataFolder(data).warehouse


def read_good() -> Rows:
    """The rows of the neighbours in a build of them alone."""
    with (
        TemporaryDirectory() as folder,
        duckdb.connect(str(_build([], Path(folder) / "data")), read_only=True) as corpus,
    ):
        return _neighbours(corpus)


def _neighbours(corpus: duckdb.DuckDBPyConnection) -> Rows:
    urls = [url for url, _ in good()]
    return [
        corpus.execute(f"SELECT {columns} FROM {table} JOIN pages USING (page_id) WHERE url IN $urls ORDER BY ALL",
            {"urls": urls}).fetchall()
        for table, columns in (("evidence.tool_cards", "page_id, side, tool_id, name, panel_ship_pct"),
            ("verdicts", "page_id, side, tool_id, ship_votes"),
                               ("appearances", "page_id, review_number, text"))
    ]  # fmt: skip


def _complaints(corpus: duckdb.DuckDBPyConnection, case: PageCase, url: str) -> list[str]:
    kinds = _kinds(corpus, url)
    seen = []
    if not kinds & case.kinds:
        seen.append(f"it is {', '.join(sorted(kinds)) or 'nowhere'}, must be {' or '.join(sorted(case.kinds))}")
    texts = _texts(corpus, url)
    whole = "\n".join(texts)
    seen += [f"no text of it holds {words!r}" for words in case.has if words not in whole and kinds & case.kinds & READ]
    seen += [f"a text of it holds {words!r}" for words in case.lacks if words in whole]
    # A browser shows U+FFFD for `&#xD800;`; that is the site's own letter, as one that it wrote itself is.
    never = "\0" if any(mark in _body(case) for mark in (b"&#", "\ufffd".encode())) else "\ufffd\0"
    wrong = {letter for letter in whole if letter in never or "\x80" <= letter < "\xa0"}
    seen += [f"a stored text holds {', '.join(map(repr, sorted(wrong)))}"] if wrong else []
    for question, allowed in case.asks.items():
        values = {value for (value, *_) in corpus.execute(question, {"url": url}).fetchall()}
        if values - allowed:
            seen.append(f"{question.partition(' FROM ')[0].lower()} gives {sorted(map(repr, values - allowed))[:3]}")
    if case.is_doubted and not _is_doubted(corpus, url):
        seen.append("no discrepancy and no reject names the page")
    return seen


def _kinds(corpus: duckdb.DuckDBPyConnection, url: str) -> frozenset[str]:
    kinds = corpus.execute("SELECT kind FROM pages WHERE url = $url", {"url": url}).fetchall()
    found = {"page" if kind == "panel" else "document" for (kind,) in kinds if kind != "unread"}
    reasons = {
        reason
        for (reason,) in corpus.execute("SELECT reason FROM evidence.rejects WHERE url = $url", {"url": url}).fetchall()
    }
    return frozenset(found | reasons | ({"reject"} if reasons else set()))


def _is_doubted(corpus: duckdb.DuckDBPyConnection, url: str) -> bool:
    doubted = """
        SELECT 1 FROM evidence.discrepancies JOIN pages USING (page_id) WHERE url = $url
        UNION ALL SELECT 1 FROM evidence.rejects WHERE url = $url
    """
    return bool(corpus.execute(doubted, {"url": url}).fetchall())


def _texts(corpus: duckdb.DuckDBPyConnection, url: str) -> list[str]:
    """Every text of every row of the page, but for those that are not words of it."""
    texts = []
    for table, key in (("documents", "page_id"), ("mentions", "page_id"),
        ("comparison_rows", "page_id"), ("outside_reviews", "page_id"),
                       ("pages", "url"), ("tool_cards", "page_id"), ("verdicts", "page_id"),
                       ("appearances", "page_id")):  # fmt: skip
        where = "url = $url" if key == "url" else "page_id IN (SELECT page_id FROM pages WHERE url = $url)"
        rows = corpus.execute(f"SELECT * FROM {name_relation(table)} WHERE {where}", {"url": url}).fetchall()
        texts += [value for row in rows for value in row if isinstance(value, str)]
    return texts
