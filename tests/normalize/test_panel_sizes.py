"""How many takes each tool has on a page."""

import pytest

from builders.normalize_pages import page, tool
from extract.panel.words.profile_files import SHIPPED
from normalize.attribution.panel_sizes import panel_sizes


@pytest.mark.parametrize(
    ("seats_a", "skips_a", "seats_b", "skips_b", "sizes"),
    [(4, 1, 4, 0, (4, 4)), (3, 1, 4, 1, (3, 4)), (3, 1, 4, 0, (None, None)), (4, 0, 4, 0, (None, None))],
)
def test_a_percentage_gives_the_panel_where_only_one_size_fits(
    seats_a: int, skips_a: int, seats_b: int, skips_b: int, sizes: tuple[int | None, int | None]
) -> None:
    seats = ("Builder", "Skeptic", "Futurist", "PM")
    shown = page(tool("a", seats[:seats_a], skips=skips_a), tool("b", seats[:seats_b], skips=skips_b), "quotes")
    assert panel_sizes(shown, SHIPPED["shiporskip"]) == sizes
