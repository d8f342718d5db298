"""No regular expression makes a long text a slow one: neither in the event loop, nor in the build, nor in a worker."""

import re
from collections.abc import Iterator

import pytest

from builders import patterns as made
from builders.patterns import Asked, made_at_run_time, patterns, seconds, text_of, units, ways

pytestmark = pytest.mark.once


def slow_texts(asked: Asked) -> Iterator[str]:
    """What makes this pattern slow: a text of its own alphabet whose time grows faster than its length."""

    def took(size: int) -> float:
        return seconds(ask, text_of(unit, size, as_bytes=isinstance(asked.pattern.pattern, bytes)))

    slowest = 0.0
    for ask in ways(asked):
        for unit in units(asked.pattern):
            if any(took(size) > made.SHORT_S for size in made.SHORT):
                yield f"{asked.place}: {unit}, already for a few characters"
                return
            large = took(made.LARGE)
            if large > made.FLOOR_S and large > made.GROWTH_MAX * took(made.SMALL):
                yield f"{asked.place}: {unit} takes {large * 1000:.0f} ms for {made.LARGE:,} characters"
                return
            if large > slowest:
                slowest, worst = large, (ask, unit)
    ask, unit = worst
    # In the event loop a second of one page is a second of every host.
    longest = made.REPETITIONS if asked.place.startswith("fetch.") else made.REPETITIONS // 10
    if (seconds_taken := took(longest)) > made.SECONDS_MAX * longest / made.REPETITIONS:
        yield f"{asked.place}: {unit} takes {seconds_taken:.1f} s for {longest:,} characters"


def test_no_pattern_takes_longer_than_its_text_grows():
    found = patterns()
    assert len(found) > 100
    assert [text for asked in found for text in slow_texts(asked)] == []


@pytest.mark.parametrize("pattern", [r"\s+x", r"(a|a)*b", r"\S+@\S+\.\S+"])
def test_the_texts_find_a_pattern_that_is_slow(pattern):
    assert [*slow_texts(Asked(pattern, re.compile(pattern), frozenset({"search", "fullmatch"})))] != []


def test_other_patterns_are_asked_of_short_texts():
    """Names of tables, of files; a day, around a year. The operator's own are RE2's."""
    assert made_at_run_time() == {
        "verdicts.extract.generic.main_text",
        "verdicts.warehouse.exporting.dataset",
    }
