"""A night normalizes and loads only what it affects, and the corpus is the same as after a full rebuild."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import (
    CAST,
    HOST,
    Tool,
    address,
    dump,
    labelled,
    observed,
    page,
    reworded,
    tool,
    with_take,
)
from builders.warehouse_files import Tables, load_corpus, tables
from corpus.tables import CORPUS_TABLES
from extract.model.records import Observation, Reject
from pipeline.build import affected
from pipeline.build.build import normalized
from pipeline.build.build_manifest import BuildManifest, manifest_of
from pipeline.build.record_files import write_records
from pipeline.failure_log import FailureLog
from pipeline.workers.record_rows import record_row

SHARED = " ".join(f"word{number} said by both" for number in range(20))
TOOLS = (
    *CAST,
    with_take(tool("eta", name="Some Long Product", tagline="The same"), "PM", SHARED),
    with_take(tool("theta", name="Some Long Product", tagline="The same"), "PM", SHARED),
    tool("iota", name="Some Long Products"),
)


@st.composite
def _observations(draw: st.DrawFn) -> Observation:
    first, second = sorted(draw(st.permutations(range(len(TOOLS))))[:2])
    how = st.sampled_from(["as it is", "as it is", "as it is", "cut", "edited", "renamed"])
    a, b = (_with_another_slug(reworded(TOOLS[number], draw(how)), draw) for number in (first, second))
    rendering = draw(st.sampled_from(["html", "html", "html", "innertext", "quotes"]))
    host = draw(st.sampled_from([HOST, HOST, "mirror.example"]))
    url = address(a, b, host) if rendering == "html" or draw(st.booleans()) else None
    url = f"{url}?ref=x" if url and draw(st.integers(0, 4)) == 0 else url
    night, moment = draw(st.integers(1, 3)), draw(st.integers(0, 59))
    if url and draw(st.integers(0, 9)) == 0:
        return observed(Reject("empty", "nothing"), url, night=night, second=moment)
    return observed(page(a, b, rendering), url, night=night, second=moment)  # type: ignore[arg-type]  # a rendering


def _with_another_slug(of: Tool, draw: st.DrawFn) -> Tool:
    """The site may have renamed it; it says so where a page leads from the one slug to the other."""
    return replace(of, slug=f"{of.slug}{draw(st.sampled_from(['', '', '', '-next', '-again']))}")


def _files(folder: Path, observations: Iterable[Observation]) -> list[Path]:
    """One record file per night."""
    nights: dict[str, dict[Any, Observation]] = defaultdict(dict)
    for item in observations:
        nights[item.crawl_id].setdefault(item.location, item)
    files = []
    for crawl_id, by_location in sorted(nights.items()):
        files.append(folder / f"{crawl_id}.parquet")
        write_records(files[-1], [record_row(item) for item in by_location.values()])
    return files


def _by_nights(
    folder: Path, files: Sequence[Path], gone: Sequence[frozenset[str]], moved: Sequence[Mapping[str, str]]
) -> tuple[Tables, int]:
    """The tables after one build per night, and the number of builds that were incremental."""
    path = folder / "nights.duckdb"
    before: BuildManifest | None = None
    partial = 0
    for count in range(1, len(files) + 1):
        now = manifest_of(files[:count], gone[count - 1], moved[count - 1])
        rows, scope = normalized(path, files[:count], now, before, FailureLog())
        load_corpus(path, dict(rows), load_id=f"load-{count}", crawls=(), fetches=(), scope=scope)
        partial += scope is not None
        before = now
    return _comparable(path), partial


def _at_once(folder: Path, files: Sequence[Path], gone: frozenset[str], moved: Mapping[str, str]) -> Tables:
    path = folder / "whole.duckdb"
    rows, _ = normalized(path, files, manifest_of(files, gone, moved), None, FailureLog())
    load_corpus(path, dict(rows), load_id="load-1", crawls=(), fetches=())
    return _comparable(path)


def _comparable(path: Path) -> Tables:
    """The rows without the load that brought them."""
    return {table: [row[:-1] for row in rows] for table, rows in tables(path).items() if table in CORPUS_TABLES}


@pytest.mark.matrix
@given(st.lists(_observations(), min_size=2, max_size=9), st.data())
@settings(deadline=None, max_examples=4, derandomize=True)
def test_builds_night_by_night_give_the_corpus_of_a_full_rebuild(
    observations: list[Observation], data: st.DataObject
) -> None:
    urls = sorted({item.url for item in observations})
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(affected, "WHOLE_SHARE", 1.0)
        folder = Path(name)
        files = _files(folder, observations)
        gone = [frozenset(data.draw(st.sets(st.sampled_from(urls), max_size=2))) for _ in files]
        pairs = st.dictionaries(st.sampled_from(urls), st.sampled_from(urls), max_size=3)
        moved = [data.draw(pairs | st.just({url: url.partition("?")[0] for url in urls if "?" in url})) for _ in files]
        incremental, _ = _by_nights(folder, files, gone, moved)
        rebuilt = _at_once(folder, files, gone[-1], moved[-1])
    for table in rebuilt:
        assert incremental[table] == rebuilt[table], table


def test_a_night_leaves_what_it_does_not_affect_as_it_is(tmp_path: Path) -> None:
    far = [labelled(tool(f"far-{number}"), tool(f"far-{number + 1}")) for number in range(0, 12, 2)]
    night = [labelled(TOOLS[0], TOOLS[1], night=2), dump(TOOLS[1], TOOLS[2], night=2)]
    files = _files(tmp_path, [*far, labelled(TOOLS[0], TOOLS[4]), *night])
    none: frozenset[str] = frozenset()
    _, partial = _by_nights(tmp_path, files, [none, none], [{}, {}])
    assert partial == 1
    result = affected.find_affected(files, files[1:], ())
    assert result is not None
    assert {url for url in result.urls if "far" in url} == set()
    assert address(TOOLS[0], TOOLS[4]) in result.urls


def test_a_tombstone_alone_affects_its_page(tmp_path: Path) -> None:
    files = _files(tmp_path, [labelled(tool(f"far-{number}"), tool(f"far-{number + 1}")) for number in range(0, 12, 2)])
    url = address(tool("far-0"), tool("far-1"))
    result = affected.find_affected(files, [], [url])
    assert result is not None
    assert result.urls == {url}


def test_a_night_that_affects_most_of_the_corpus_rebuilds_it(tmp_path: Path) -> None:
    files = _files(tmp_path, [labelled(TOOLS[0], TOOLS[1]), labelled(TOOLS[0], TOOLS[2], night=2)])
    assert affected.find_affected(files, files[1:], ()) is None


def test_the_tools_of_a_page_without_an_address_depend_on_each_other(tmp_path: Path) -> None:
    """Which page it is depends on both of its tools, even if its takes are labelled."""
    far = [labelled(tool(f"far-{number}"), tool(f"far-{number + 1}")) for number in range(0, 12, 2)]
    addressless = observed(page(TOOLS[0], TOOLS[1], "innertext"))
    files = _files(tmp_path, [*far, addressless, labelled(TOOLS[0], TOOLS[4]), labelled(TOOLS[1], TOOLS[5], night=2)])
    result = affected.find_affected(files, files[1:], ())
    assert result is not None
    assert {addressless.url, address(TOOLS[0], TOOLS[4])} <= result.urls


def test_tools_that_share_a_long_text_depend_on_each_other(tmp_path: Path) -> None:
    far = [labelled(tool(f"far-{number}"), tool(f"far-{number + 1}")) for number in range(0, 12, 2)]
    first, second = (with_take(tool(slug), "PM", SHARED) for slug in ("kappa", "lambda"))
    files = _files(tmp_path, [*far, labelled(TOOLS[0], first), labelled(TOOLS[1], second, night=2)])
    result = affected.find_affected(files, files[1:], ())
    assert result is not None
    assert address(TOOLS[0], first) in result.urls
