"""Values and texts of a page in the corpus' words."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from builders.normalize_pages import page, tool
from verdicts.extract.panel.profile import SHIPPED
from verdicts.normalize.parse import values
from verdicts.normalize.parse.match_keys import fold_name, match_key, split_words
from verdicts.normalize.parse.typed_page import type_comparison
from verdicts.normalize.parse.values import (
    NO_COMMUNITY,
    NO_PANEL,
    BrokenValue,
    Community,
    VerdictLine,
    parse_percent,
    parse_score,
)

PROFILE = SHIPPED["shiporskip"]
verdict_line = partial(values.parse_verdict_line, profile=PROFILE)
community = partial(values.parse_community, profile=PROFILE)
verdict_word = partial(values.parse_verdict, profile=PROFILE)
take_verdict = partial(values.parse_take_verdict, profile=PROFILE)

READ: dict[Callable[..., object], dict[str, object]] = {
    parse_percent: {
        "75%": 75, "0%": 0, "100 %": 100, "75\u00a0%": 75, "75,0 %": 75, "75 percent": 75, "2/3": 67, "0/4": 0,
    },
    parse_score: {"88/100": 88, "88.0 / 100": 88, "0/100": 0, "88%": 88, "8,5/10": 85, "10/10": 100, "4.35/5": 87},
    verdict_line: {
        "Ship · 3 ship / 1 skip": VerdictLine("ship", 3, 1),
        "Skip": VerdictLine("skip", None, None),
        "4 ship / 0 skip": VerdictLine(None, 4, 0),
    },
    community: {
        "62% · 1,130 votes": Community(62, 1130),
        "62 % · 1.130 votes": Community(62, 1130),
        "64% ship · 212 votes": Community(64, 212),
        "64% (212 votes)": Community(64, 212),
        "136 ship / 76 skip": Community(64, 212),
        "👍👍👎": Community(67, 3),
        "62.0 % · 1,130,000 votes": Community(62, 1130000),
        "100% · 1 vote": Community(100, 1),
        "62%": Community(62, None),
        "No community votes yet": Community(None, 0),
    },
}  # fmt: skip


@pytest.mark.parametrize(("parse", "raw"), [(parse, raw) for parse, values in READ.items() for raw in values])
def test_a_value_is_read_as_printed(parse: Callable[[str], object], raw: str) -> None:
    assert parse(raw) == READ[parse][raw]


BROKEN = {
    parse_percent: ["140%", "5/4", "0/0", "about 75%", "75.5%", "75", "-75%"],
    parse_score: [
        "108/100",
        "88.5/100",
        "8.55/10",
        "11/10",
        "4.33/5",
        "3/4",
        "88/0",
        "88",
        "8.5",
        "88.5%",
        "8.5/10/10",
    ],
    verdict_word: ["Maybe"],
    take_verdict: ["mixed"],
    verdict_line: ["Ship · 3 ship", "Great · 3 ship / 1 skip"],
    community: [
        "lots of votes",
        "162% · 3 votes",
        *(f"62% · {votes} votes" for votes in ("1.2k", "1,13", "1.13", "350+")),
        "62.5% · 8 votes",
    ],
}


@pytest.mark.parametrize(("parse", "raw"), [(parse, raw) for parse, strings in BROKEN.items() for raw in strings])
def test_a_broken_value_raises_with_its_string(parse: Callable[[str], object], raw: str) -> None:
    for _ in range(2):
        with pytest.raises(BrokenValue) as caught:
            parse(raw)
        assert caught.value.raw in raw


def test_a_value_that_is_absent_or_broken_is_none_and_what_is_broken_keeps_its_words_and_its_place() -> None:
    shown = page(tool("alpha"), tool("beta"))
    # No votes yet is zero, a dash is unknown.
    card = replace(shown.cards[0], panel_ship="—", community=None, chip="Maybe")
    column = replace(shown.decisions[0], verdict="Great · 3 ship / 1 skip", community="—")
    take = replace(shown.takes[1], score="108/100", verdict=" ")
    typed = type_comparison(
        replace(
            shown,
            cards=(card, shown.cards[1]),
            decisions=(column, shown.decisions[1]),
            takes=(shown.takes[0], take, *shown.takes[2:]),
        ),
        PROFILE,
    )
    assert (typed.cards[0].panel_ship_pct, typed.cards[0].community_pct, typed.cards[0].chip) == (None, None, None)
    assert (typed.decisions[0].panel, typed.decisions[0].community) == (NO_PANEL, NO_COMMUNITY)
    assert (typed.takes[1].score, typed.takes[1].verdict) == (None, None)
    assert typed.broken == (
        ("verdict", "Maybe", "on the card of Alpha"),
        ("panel_verdict", "Great", "in the table for Alpha"),
        ("score", "108/100", "on take 1"),
    )


@pytest.mark.parametrize(
    ("separator", "raw", "votes"),
    [(".", "62 % · 1.130 votes", 1130), (" ", "62 % · 1\u202f130 votes", 1130), ("'", "62% · 1'130 votes", 1130)],
)
def test_votes_are_parted_as_the_site_parts_them(separator: str, raw: str, votes: int) -> None:
    site = msgspec.structs.replace(
        PROFILE, values=msgspec.structs.replace(PROFILE.values, thousands_separator=separator)
    )
    assert values.parse_community(raw, profile=site) == Community(62, votes)


@given(st.text())
@example("ᄀ-ᅡ")
@example("ǅ ſ ﬁ")
def test_the_match_key_of_a_match_key_is_itself(text: str) -> None:
    assert match_key(match_key(text)) == match_key(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_fast_path_gives_what_the_slow_path_gives(text: str) -> None:
    assert match_key(text) == match_key(text + "é").removesuffix("é")


@pytest.mark.parametrize(
    ("read", "text", "other", "is_same"),
    [
        (match_key, "It’s “fine” — really\u00a0ﬁne", 'it\'s "fine" - really  fine', True),
        (match_key, "at $15/mo", "at $16/mo", False),
        (fold_name, "Codestral  2", "Codestral 2.0", False),
        (fold_name, "Mistral 3 Small", "Mistral 3 Small (22B)", False),
        (fold_name, " CURSOR\u00a0Agent ", "Cursor Agent", True),
    ],
)
def test_a_key_keeps_what_tells_texts_and_names_apart(
    read: Callable[[str], str], text: str, other: str, is_same: bool
) -> None:
    assert (read(text) == read(other)) == is_same


def test_words_are_the_match_key_with_its_gaps() -> None:
    text = "The buyer’s bet — isn't it?"
    assert "".join(split_words(text)) == match_key(text)
