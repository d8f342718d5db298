"""What a picture says of each row, in the room it has."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser

from verdicts.explore.figures.answer_charts import draw_answer
from verdicts.explore.figures.labels import fit_labels, measure_label, place_labels, shorten
from verdicts.explore.figures.series import PARTS, draw_outcomes
from verdicts.explore.rendering import digits_by_column, format_difference, number
from verdicts.warehouse.serving.named_queries import Picture


def test_a_label_is_cut_where_it_does_not_tell_rows_apart() -> None:
    names = ["clavern-code-open-source-lantry-code", "clavern-code-open-source-mirror-of-clew"]
    labels = [("Clavern Code", name) for name in names]
    assert fit_labels(labels, 32) == ["Clavern Code · …lantry-code", "Clavern Code · …mirror-of-clew"]
    assert fit_labels([("A name that is far too long", "and-a-slug-that-is-so-too")], 20) == ["A name… · and-a-sl…"]
    assert fit_labels([("Alpha",), ("Alpha Beta Gamma Delta",)], 12) == ["Alpha", "Alpha Beta G…"]


def test_a_label_of_broad_letters_has_fewer_of_them() -> None:
    cut = {
        label: shorten(label, 8)
        for label in ("illiilliillii", "mmmmmmmmmmmm", "審査員審査員審査員", "<img src=x onerror>")
    }
    assert [len(text) for text in cut.values()] == [13, 5, 4, 8]
    assert max(map(measure_label, cut.values())) <= 8
    assert shorten("PM", 8) == "PM"


def test_a_name_at_a_dot_covers_no_other_and_is_left_out_where_it_has_no_room() -> None:
    dots = [(float(x), 27.0, "Ten digits") for x in (20, 100, 108, 116, 124, 500)]
    places = place_labels(dots, 10, (0, 0, 520, 54), 5, is_lone=False)
    assert [place is not None for place in places].count(False) == 2
    spans = []
    for at, base, anchor in filter(None, places):
        left = at - {"start": 0, "middle": 0.5, "end": 1}[anchor] * 6 * measure_label("Ten digits")
        assert 0 <= left <= left + 6 * measure_label("Ten digits") <= 520
        assert abs(base - 27) > 5
        spans.append((base, left, left + 6 * measure_label("Ten digits")))
    assert all(a[2] <= b[1] for a, b in pairwise(sorted(spans)) if a[0] == b[0])


def test_days_below_nights_do_not_touch_however_many_nights_there_are() -> None:
    """`30 Nov` takes 62 units on a telephone."""
    started = datetime(2026, 11, 1, tzinfo=UTC)
    for count in range(2, 61):
        picture = draw_outcomes([{"started_at": started, **dict.fromkeys(PARTS, 1)}] * count)
        places = [float(day.attributes["x"]) for day in LexborHTMLParser(picture).css("text[text-anchor=middle]")]
        assert places
        assert min((b - a for a, b in pairwise(places)), default=62) >= 62, count


def test_numbers_of_a_column_have_as_many_digits_as_one_of_them_needs() -> None:
    assert digits_by_column([(80.0, 3, 0.5, 3e-06), (79.75, 4, None, 0.25)]) == [2, 0, 1, 6]
    assert digits_by_column([{"a": Decimal("19.5"), "b": float("nan")}]) == [1, 0]
    assert digits_by_column([]) == []


def test_a_row_is_labelled_by_as_much_as_it_needs_and_has_a_place_for_it() -> None:
    rows = [
        {"reviewer": "PM", "of": "A", "n": 70},
        {"reviewer": "PM", "of": "B", "n": 80},
        {"reviewer": "Builder", "of": "A", "n": 9},
    ]
    for kind in ("bars", "strip"):
        labels = LexborHTMLParser(draw_answer(Picture(kind, ("reviewer", "of"), "n"), rows)).css("g > text:not(.value)")
        assert [label.text() for label in labels] == ["PM · A", "PM · B", "Builder"]
        (alone, _) = LexborHTMLParser(draw_answer(Picture(kind, ("reviewer", "of"), "n"), rows[1:])).css(
            "g > text:not(.value)"
        )
        assert float(alone.attributes["x"]) < float(labels[0].attributes["x"])


def test_a_half_is_rounded_as_by_sql() -> None:
    told = [number(73.25, 1), number(79.75, 1), number(65.05, 1), number(Decimal("65.05"), 1), number(12_345.5)]
    assert told == ["73.3", "79.8", "65.1", "65.1", "12,346"]
    assert [format_difference(value) for value in (8.25, -8.25)] == ["+8.3", "−8.3"]
