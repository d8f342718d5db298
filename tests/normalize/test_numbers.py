"""Ratings and counts of outside pages: read as stated, or refused with their string; never rounded, never mistaken."""

import tomllib
from pathlib import Path

import pytest

from verdicts.normalize.parse.numbers import Rating, parse_count, parse_rating, parse_scale_end
from verdicts.normalize.parse.values import BrokenValue

STRINGS: dict[str, dict[str, str]] = {
    kind: {text: said for said, strings in answers.items() for text in strings}
    for kind, answers in tomllib.loads(
        Path(__file__).with_name("number_strings.toml").read_text(encoding="utf-8")
    ).items()
}
REFUSED = "?"


def parse_answer(answer: str) -> Rating:
    """`4.5 of 5`."""
    value, _, best = answer.partition(" of ")
    return Rating(float(value), float(best) if best else None)


@pytest.mark.parametrize(
    ("read", "text", "answer"),
    [
        *(
            (parse_rating, text, None if answer == REFUSED else parse_answer(answer))
            for text, answer in STRINGS["ratings"].items()
        ),
        *(
            (parse_count, text, None if answer == REFUSED else int(answer))
            for text, answer in STRINGS["counts"].items()
        ),
    ],
)
def test_a_number_is_read_as_it_is_stated_or_refused(read, text: str, answer: Rating | int | None) -> None:
    if answer is None:
        with pytest.raises(BrokenValue, match="rating"):
            read(text)
    else:
        assert read(text) == answer


@pytest.mark.parametrize("read", [parse_rating, parse_count, parse_scale_end])
@pytest.mark.parametrize("text", [None, "", " ", "—"])
def test_absent_is_none(read, text: str | None) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "best", "expected"),
    [
        ("4.6", 5, Rating(4.6, 5)),
        ("85%", 100, Rating(85, 100)),
        ("8.5/10", 10, Rating(8.5, 10)),
        ("1,280", 5, Rating(1.28, 5)),
        ("1,280", 2000, None),
        ("6", 5, None),
        ("85%", 5, None),
        ("8.5/10", 5, None),
        ("250", 1000, Rating(250, 1000)),
    ],
)
def test_the_scale_stated_beside_a_rating_holds(text: str, best: float, expected: Rating | None) -> None:
    if expected is None:
        with pytest.raises(BrokenValue):
            parse_rating(text, best)
    else:
        assert parse_rating(text, best) == expected


@pytest.mark.parametrize(("text", "best"), [("5", 5), ("10.0", 10), ("100%", 100)])
def test_the_end_of_a_scale_is_a_number(text: str, best: float) -> None:
    assert parse_scale_end(text) == best


@pytest.mark.parametrize("text", ["0", "-5", "five", "1.280", "5/5"])
def test_an_end_of_no_scale_is_refused(text: str) -> None:
    with pytest.raises(BrokenValue, match="rating_best"):
        parse_scale_end(text)
