"""Readers of pages, scored by `comparison-bench` on pages that it makes: ours, pandas, extruct and trafilatura.

uv run python -m benchmarks.bench [--seed 7] [--pages 2000]

pandas.read_html gives tables, of which it does
not know whether tools head the columns or the rows: it is told, by the key, which of the two fits better.
"""

import io
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from benchmarks.measuring import make_options, markdown_table
from builders.snapshots import html
from comparison_bench.made_pages import write_pages
from comparison_bench.results import OUTCOMES, Answer, Result, Take, Tool, normalize_seen, read_lines, score
from verdicts.extract.model.records import Document
from verdicts.extract.page import extract
from verdicts.normalize.parse.tool_values import choose_tools

Cell: TypeAlias = tuple[str, str, str]
Rows: TypeAlias = Sequence[Sequence[str]]
Reader: TypeAlias = Callable[[Answer, str, str], Result]
"""The result of a key's page, from its HTML and its address."""


def ours(key: Answer, page: str, url: str) -> Result:
    extracted = extract(html(page, url))
    if not isinstance(extracted, Document):
        return Result(key.page)
    found = extracted.side_by_side
    if found is None:
        return Result(key.page, text=extracted.text)
    tools = [Tool(one.name, one.rank, one.price, one.rating, one.best_for) for one in choose_tools(found)[0]]
    cells = [(found.tools[fact.tool], fact.label, fact.value) for fact in found.facts if fact.label is not None]
    takes = [Take(one.text, tools[0].name, one.author, one.rating) for one in found.reviews]
    return Result(key.page, tuple(tools), tuple(cells), tuple(takes), extracted.text)


def pandas_tables(html: str) -> list[tuple[Rows, Rows, Rows]]:
    """Head, body and foot of what its read_html makes frames of: a frame itself takes numbers for texts."""
    from pandas.io.html import _LxmlFrameParser

    parser = _LxmlFrameParser(io.StringIO(html), re.compile(".+"), None, None, True, None, None)
    try:
        return [*parser.parse_tables()]
    except ValueError:  # no table
        return []


def read_with_pandas(key: Answer, page: str, url: str) -> Result:
    cells: list[Cell] = []
    for head, body, foot in pandas_tables(page):
        names = {normalize_seen(tool.name) for tool in key.tools}
        both = [*_cells(head, [*body, *foot])]
        cells += max(both, key=lambda way: len({normalize_seen(tool) for tool, *_ in way} & names)) if both else []
    tools = dict.fromkeys(tool for tool, *_ in cells)
    return Result(key.page, tuple(map(Tool, tools)), tuple(cells))


def _cells(head: Rows, body: Rows) -> Iterator[list[Cell]]:
    """Every value with its column's head as the tool and its row's first text as the label, and the other way round."""
    heads, rows = (head, body) if head else (body[:1], body[1:])
    joined = [" ".join(dict.fromkeys(column)) for column in zip(*heads, strict=False)]
    found = [
        (column, row[0], value) for row in rows for column, value in zip(joined[1:], row[1:], strict=False) if value
    ]
    yield [(column, row, value) for column, row, value in found]
    yield [(row, column, value) for column, row, value in found]


def read_with_extruct(key: Answer, page: str, url: str) -> Result:
    import extruct

    found = extruct.extract(page, base_url=url, syntaxes=["json-ld", "microdata", "rdfa"])
    by_id = {item["@id"]: item for item in found["rdfa"] if "@id" in item}
    tools: dict[str, dict[str, Any]] = {}
    takes: list[Take] = []
    for part in found.values():
        for name, field, value in _read_items(part, None, by_id):
            if field == "review":
                takes.append(Take(value[0], name, *value[1:]))
            else:
                tools.setdefault(name, {}).setdefault(field, value)
    return Result(key.page, tuple(Tool(name, **fields) for name, fields in tools.items()), (), tuple(takes))


def _read_items(found: Any, name: str | None, by_id: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """What items of a name have, and those in them. Items of RDFa are joined by `@id`."""
    if isinstance(found, list):
        for part in found:
            yield from _read_items(part, name, by_id)
        return
    if not isinstance(found, dict):
        return
    parts = {
        re.split("[/#:]", key)[-1].casefold(): _plain(value) for key, value in found.get("properties", found).items()
    }
    if isinstance(parts.get("reviewbody"), str):
        author, rating = (_named(parts.get(part), by_id) for part in ("author", "reviewrating"))
        yield name or "", "review", (parts["reviewbody"], author, rating)
        return
    name = parts["name"] if isinstance(parts.get("name"), str) else name
    for key, value in parts.items():
        if key == "price" and name and isinstance(value, str | int | float):
            yield name, "price", f"{value} {parts.get('pricecurrency', '')}".strip()
        elif key == "ratingvalue" and name and isinstance(value, str | int | float):
            yield name, "rating", str(value)
        else:
            yield from _read_items(_join_reference(value, by_id), name, by_id)


def _named(value: Any, by_id: Mapping[str, Any]) -> str | None:
    """The name or rating of an item in another."""
    part = _join_reference(value, by_id)
    if not isinstance(part, dict):
        return None if part is None else str(part)
    parts = {re.split("[/#:]", key)[-1].casefold(): _plain(one) for key, one in part.get("properties", part).items()}
    said = parts.get("name", parts.get("ratingvalue"))
    return None if said is None else str(said)


def _join_reference(value: Any, by_id: Mapping[str, Any]) -> Any:
    return by_id.get(value["@id"], value) if isinstance(value, dict) and {*value} == {"@id"} else value


def _plain(value: Any) -> Any:
    """RDFa's lists of one."""
    only = value[0] if isinstance(value, list) and len(value) == 1 else value
    return only.get("@value", only) if isinstance(only, dict) else only


def read_with_trafilatura(key: Answer, page: str, url: str) -> Result:
    import trafilatura

    return Result(key.page, text=trafilatura.extract(page, url=url))


READERS: dict[str, Reader] = {
    "verdicts": ours,
    "pandas.read_html": read_with_pandas,
    "extruct": read_with_extruct,
    "trafilatura": read_with_trafilatura,
}


def _outcomes(counts: Mapping[str, int]) -> str:
    return " / ".join(f"{counts.get(outcome, 0):,}" for outcome in OUTCOMES.values())


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--pages", type=int, default=2_000)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "made"
        write_pages(folder, given.seed, given.pages)
        keys = read_lines(folder / "answers.jsonl", Answer)
        addresses = [msgspec.json.decode(line) for line in (folder / "pages.jsonl").read_bytes().splitlines()]
        urls = {address["page"]: address["url"] for address in addresses}
        pages = {page: (folder / "pages" / page).read_text(encoding="utf-8") for page in urls}
    scores = {}
    for name, reader in READERS.items():
        results = {page: reader(keys[page], html, urls[page]) for page, html in pages.items()}
        scores[name], _ = score(keys, results)
    fields = dict.fromkeys(field for counts in scores.values() for field in counts)
    rows = [(field, *(_outcomes(counts.get(field, {})) for counts in scores.values())) for field in fields]
    print(markdown_table(("field: right / wrong / missing", *scores), rows))


if __name__ == "__main__":
    main()
