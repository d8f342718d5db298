"""Tables whose answer is known: each place says what was laid out there, and what is wrong with a table is told."""

from builders.made_tables import MadeTable, make_tables
from builders.snapshots import read_grids

COUNT = 400


def wrong_places(made: MadeTable) -> list[tuple[int, int]]:
    """Places of a sound table that say something else than was laid out, or a defect that it does not have."""
    assert made.texts is not None
    grid = read_grids(made.html)[0]
    places = grid.places()
    if grid.defects or (grid.rows, grid.columns) != (len(made.texts), len(made.texts[0])):
        return [(-1, -1)]
    return [
        (row, column)
        for row, texts in enumerate(made.texts)
        for column, text in enumerate(texts)
        if (places[row][column].text, places[row][column].is_unreadable) != (text, (row, column) in made.unreadable)
    ]


def test_every_place_of_a_sound_table_says_what_was_laid_out():
    sound = [made for made in make_tables(COUNT) if made.texts is not None]
    assert len(sound) == COUNT * 3 // 4
    assert [(made.html, wrong) for made in sound if (wrong := wrong_places(made))] == []


def test_what_is_wrong_with_a_table_is_told():
    broken = [made for made in make_tables(COUNT) if made.texts is None]
    assert [made.html for made in broken if not read_grids(made.html)[0].defects] == []
