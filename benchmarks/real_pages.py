"""Pages of the open web with the names and values that a person reads on them, read and judged page by page.

uv run python -m benchmarks.real_pages --pages DIR [--labels FILE] [--show ID]

DIR has `pages.jsonl` (id, url, title), `pages/ID.html` or `ID.html.gz`, and `labels.json`: for each id `names`, other
spellings in `also`, names that may count or not in `maybe`, `cells` (label, name, text) and `fields` (price,
rating, rank, best_for by name). `compares` is false, or `subject` is `ideas`, for a page that compares no products:
claiming one is wrong.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import make_options, markdown_table
from verdicts.extract.generic.side_by_side import Compared, read_side_by_side
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.records import SideBySide
from verdicts.normalize.parse.tool_values import choose_tools

Label = Mapping[str, Any]

MARKS = ("right", "partly", "reported", "silent", "wrong", "none")
"""`none`: a page that compares nothing, and of which nothing is claimed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """`names`: right, partly, reported, silent, wrong, or none for a page that compares nothing and claims nothing."""

    names: str
    why: str
    values: Counter[str]


def main() -> None:
    parser = make_options(__doc__ or "")
    parser.add_argument("--pages", type=Path, required=True)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--show")
    options = parser.parse_args()
    labels = json.loads((options.labels or options.pages / "labels.json").read_text())
    pages = [json.loads(line) for line in (options.pages / "pages.jsonl").read_text().splitlines()]
    rows, names, values = [], Counter[str](), Counter[str]()
    for page in pages:
        label = labels.get(page["id"])
        if label is None or (options.show and page["id"] != options.show):
            continue
        read = read_side_by_side(WebPage(Page(_html(options.pages / "pages", page["id"]), page["url"])))
        judged = _judge(read, label)
        names[judged.names] += 1
        values += judged.values
        if judged.names not in {"right", "none"} or judged.values.keys() - {"right"} or options.show:
            rows.append((page["id"], judged.names, _format_counts(judged.values), judged.why[:110], page["title"][:50]))
        if options.show:
            print(read)
    print(markdown_table(("page", "names", "values", "why", "title"), rows))
    counts = (("names", names), ("values", values))
    print(
        "\n",
        markdown_table(("of", *MARKS), [(of, *(f"{count[mark]:,}" for mark in MARKS)) for of, count in counts]),
        sep="",
    )


def _html(folder: Path, page: str) -> bytes:
    packed = folder / f"{page}.html.gz"
    html = gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / f"{page}.html").read_bytes()
    return html.decode(errors="replace").encode()


def _judge(read: Compared, label: Label) -> Judged:
    found = read.side_by_side
    is_claimed = found is not None and found.claim == "compares"
    if not label.get("compares", bool(label["names"])) or label.get("subject") == "ideas":
        claimed = ", ".join(tool.name for tool in found.tools) if is_claimed and found else ""
        return Judged("wrong" if is_claimed else "none", claimed, Counter())
    reports = "; ".join(f"{doubt.rule}: {doubt.found}" for doubt in read.doubts)
    if found is None or not is_claimed:
        return Judged("reported" if read.doubts else "silent", reports, Counter())
    spellings = {
        _key(said): name for name in label["names"] for said in (name, *_make_list(label.get("also", {}).get(name)))
    }
    of_tools = [_find_name(name, spellings) for name in found.tools]
    neutral = {_key(name) for name in label.get("maybe", ())}
    extra = [
        tool for tool, name in zip(found.tools, of_tools, strict=True) if name is None and _key(tool) not in neutral
    ]
    missing = [name for name in label["names"] if name not in of_tools]
    values = Counter(_values(found, of_tools, label, is_reported=bool(read.doubts)))
    if extra and label["names"]:
        return Judged("wrong", f"beside the names: {', '.join(extra)}", values)
    if missing:
        is_told = any(doubt.rule == "incomplete_list" for doubt in read.doubts)
        kind = "partly" if len(missing) * 2 <= len(label["names"]) or is_told else "silent"
        return Judged(kind, f"missing: {', '.join(missing)}", values)
    return Judged("right", reports, values)


def _find_name(name: str, spellings: Mapping[str, str]) -> str | None:
    """The labelled name with this spelling, or one that only adds words to it or leaves some of its last ones out."""
    exact = spellings.get(_key(name))
    if exact is not None:
        return exact
    near = {
        of
        for said, of in spellings.items()
        if f"{_key(name)} ".startswith(f"{said} ") or f"{said} ".startswith(f"{_key(name)} ")
    }
    return near.pop() if len(near) == 1 else None


def _values(found: SideBySide, of_tools: list[str | None], label: Label, *, is_reported: bool) -> Iterator[str]:
    said: dict[tuple[str, str], set[str]] = {}
    for fact in found.facts:
        name = of_tools[fact.tool]
        if name is not None and fact.label is not None:
            said.setdefault((_key(fact.label), name), set()).add(_key(fact.value))
    chosen, _ = choose_tools(found)
    for attribute, by_name in label.get("cells", {}).items():
        for name, value in by_name.items():
            yield _verdict(said.get((_key(attribute), name), set()), value, is_reported=is_reported)
    for field, by_name in label.get("fields", {}).items():
        if field in {"price", "rating", "rank", "best_for"}:
            for name, value in by_name.items():
                tools = [tool for tool, of in zip(chosen, of_tools, strict=True) if of == name]
                read = {_key(str(getattr(tool, field))) for tool in tools if getattr(tool, field) is not None}
                yield _verdict(read, value, is_reported=is_reported)


def _verdict(read: set[str], value: object, *, is_reported: bool) -> str:
    if not read:
        return "reported" if is_reported else "silent"
    wanted = _key(str(value))
    return "right" if any(wanted in one or one in wanted for one in read) else "wrong"


def _make_list(said: object) -> list[str]:
    return [said] if isinstance(said, str) else [str(one) for one in said] if isinstance(said, list) else []


def _key(text: str) -> str:
    return re.sub(r"[^\w$€£%.]+", " ", text.casefold()).strip()


def _format_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))


if __name__ == "__main__":
    main()
