"""A night normalizes and loads only what it touches, and the corpus is the same as one made from nothing."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.normalize_pages import CAST, address, dump, labelled, page, retold, seen, tool, with_take
from builders.warehouse_files import Tables, load_corpus, tables
from corpus.tables import TABLES
from extract.model.records import Observation, Reject
from pipeline import affected
from pipeline.build import normalized
from pipeline.build_manifest import BuildManifest, manifest_of
from pipeline.record_files import write_records

SHARED = " ".join(f"word{at} said by both" for at in range(20))
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
    a, b = retold(TOOLS[first], draw(how)), retold(TOOLS[second], draw(how))
    rendering = draw(st.sampled_from(["html", "html", "html", "innertext", "quotes"]))
    url = address(a, b) if rendering == "html" or draw(st.booleans()) else None
    night, second_ = draw(st.integers(1, 4)), draw(st.integers(0, 59))
    if url and draw(st.integers(0, 9)) == 0:
        return seen(Reject("empty", "nothing"), url, night=night, second=second_)
    return seen(page(a, b, rendering), url, night=night, second=second_)  # type: ignore[arg-type]  # a rendering


def _files(folder: Path, observations: Iterable[Observation]) -> list[Path]:
    """A record file a night."""
    nights: dict[str, dict[Any, Observation]] = defaultdict(dict)
    for item in observations:
        nights[item.crawl_id].setdefault(item.location, item)
    files = []
    for crawl_id, held in sorted(nights.items()):
        files.append(folder / f"{crawl_id}.parquet")
        write_records(files[-1], held.values())
    return files


def _by_nights(folder: Path, files: Sequence[Path], gone: Sequence[frozenset[str]]) -> tuple[Tables, int]:
    """The tables after one build a night, and how many of these left something as it was."""
    path = folder / "nights.duckdb"
    before: BuildManifest | None = None
    partial = 0
    for count in range(1, len(files) + 1):
        night = files[:count]
        rows, scope = normalized(path, night, gone[count - 1], before)
        load_corpus(path, dict(rows), load_id=f"load-{count}", crawls=(), fetches=(), scope=scope)
        partial += scope is not None
        before = manifest_of(night, gone[count - 1])
    return _comparable(path), partial


def _at_once(folder: Path, files: Sequence[Path], gone: frozenset[str]) -> Tables:
    path = folder / "whole.duckdb"
    rows, _ = normalized(path, files, gone, None)
    load_corpus(path, dict(rows), load_id="load-1", crawls=(), fetches=())
    return _comparable(path)


def _comparable(path: Path) -> Tables:
    """What the corpus says, whichever load brought it."""
    return {table: [row[:-1] for row in rows] for table, rows in tables(path).items() if table in TABLES}


@pytest.mark.matrix
@given(st.lists(_observations(), min_size=2, max_size=9), st.data())
@settings(deadline=None, max_examples=20, derandomize=True)
def test_nights_one_by_one_make_the_corpus_of_all_at_once(observations: list[Observation], data: st.DataObject) -> None:
    urls = sorted({item.url for item in observations})
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(affected, "WHOLE_SHARE", 1.0)
        folder = Path(name)
        files = _files(folder, observations)
        gone = [frozenset(data.draw(st.sets(st.sampled_from(urls), max_size=2))) for _ in files]
        found, _ = _by_nights(folder, files, gone)
        whole = _at_once(folder, files, gone[-1])
    for table in whole:
        assert found[table] == whole[table], table


def test_a_night_leaves_what_it_does_not_touch_as_it_is(tmp_path: Path) -> None:
    far = [labelled(tool(f"far-{at}"), tool(f"far-{at + 1}")) for at in range(0, 12, 2)]
    night = [labelled(TOOLS[0], TOOLS[1], night=2), dump(TOOLS[1], TOOLS[2], night=2)]
    files = _files(tmp_path, [*far, labelled(TOOLS[0], TOOLS[4]), *night])
    none: frozenset[str] = frozenset()
    _, partial = _by_nights(tmp_path, files, [none, none])
    assert partial == 1
    reach = affected.find_affected(files, files[1:], ())
    assert reach is not None
    assert {url for url in reach.urls if "far" in url} == set()
    assert address(TOOLS[0], TOOLS[4]) in reach.urls


def test_a_tombstone_alone_reaches_its_page(tmp_path: Path) -> None:
    files = _files(tmp_path, [labelled(tool(f"far-{at}"), tool(f"far-{at + 1}")) for at in range(0, 12, 2)])
    url = address(tool("far-0"), tool("far-1"))
    reach = affected.find_affected(files, [], [url])
    assert reach is not None
    assert reach.urls == {url}


def test_a_night_that_touches_most_of_the_corpus_makes_it_anew(tmp_path: Path) -> None:
    files = _files(tmp_path, [labelled(TOOLS[0], TOOLS[1]), labelled(TOOLS[0], TOOLS[2], night=2)])
    assert affected.find_affected(files, files[1:], ()) is None


def test_a_page_without_an_address_holds_its_two_tools_together(tmp_path: Path) -> None:
    """Which page it is depends on both of its tools, labelled as its takes may be."""
    far = [labelled(tool(f"far-{at}"), tool(f"far-{at + 1}")) for at in range(0, 12, 2)]
    addressless = seen(page(TOOLS[0], TOOLS[1], "innertext"))
    files = _files(tmp_path, [*far, addressless, labelled(TOOLS[0], TOOLS[4]), labelled(TOOLS[1], TOOLS[5], night=2)])
    reach = affected.find_affected(files, files[1:], ())
    assert reach is not None
    assert {addressless.url, address(TOOLS[0], TOOLS[4])} <= reach.urls


def test_long_words_that_two_tools_share_hold_them_together(tmp_path: Path) -> None:
    far = [labelled(tool(f"far-{at}"), tool(f"far-{at + 1}")) for at in range(0, 12, 2)]
    one, other = (with_take(tool(slug), "PM", SHARED) for slug in ("kappa", "lambda"))
    files = _files(tmp_path, [*far, labelled(TOOLS[0], one), labelled(TOOLS[1], other, night=2)])
    reach = affected.find_affected(files, files[1:], ())
    assert reach is not None
    assert address(TOOLS[0], one) in reach.urls
