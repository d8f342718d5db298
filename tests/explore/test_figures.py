"""What a picture says of each row, in the room it has."""

from datetime import UTC, datetime

from explore.figures.labels import fitted
from explore.figures.picture import drawn
from warehouse.serving.pictures import Picture


def test_a_label_is_cut_where_it_does_not_tell_rows_apart() -> None:
    names = ["claw-code-open-source-claude-code", "claw-code-open-source-mirror-of-cline"]
    labels = [("Claw Code", name) for name in names]
    assert fitted(labels, 32) == ["Claw Code · …claude-code", "Claw Code · …mirror-of-cline"]
    assert fitted([("A name that is far too long", "and-a-slug-that-is-so-too")], 20) == ["A name… · and-a-s…"]
    assert fitted([("Alpha",), ("Alpha Beta Gamma Delta",)], 12) == ["Alpha", "Alpha Beta…"]


def test_a_row_is_labelled_by_as_much_as_it_needs_and_has_a_place_for_it() -> None:
    rows = [
        {"seat": "PM", "of": "A", "n": 70},
        {"seat": "PM", "of": "B", "n": 80},
        {"seat": "Builder", "of": "A", "n": 9},
    ]
    for kind in ("bars", "strip"):
        picture = drawn(Picture(kind, ("seat", "of"), "n"), rows)
        assert [row.label for row in picture.figure.rows] == ["PM · A", "PM · B", "Builder"]
        alone = drawn(Picture(kind, ("seat", "of"), "n"), rows[1:])
        assert left_of(alone.figure) < left_of(picture.figure)


def left_of(figure) -> float:
    return figure.axis.left if hasattr(figure, "axis") else figure.left


def test_a_line_needs_one_value_a_time() -> None:
    night = datetime(2026, 11, 1, tzinfo=UTC)
    rows = [{"at": night, "n": 1}, {"at": night.replace(day=2), "n": 2}]
    picture = Picture("lines", ("at",), "n")
    assert drawn(picture, rows) is not None
    assert drawn(picture, [*rows, {"at": night, "n": 3}]) is None
