"""Generated pages say in HTML and text what their observations say that they do."""

from datetime import UTC, datetime

from builders.made_corpora import make_pages
from builders.made_observations import comparison, made_snapshot
from verdicts.extract.page import extract

MOMENT = datetime(2026, 11, 1, tzinfo=UTC)


def test_a_page_shows_its_tools_and_takes():
    pages = [*make_pages(1_500, seed=3, labelled=0.5)]
    assert {page.is_labelled for page in pages} == {True, False}
    for page in pages:
        said, made = extract(made_snapshot(page, MOMENT, "run")), comparison(page)
        assert said.rendering == made.rendering
        assert [card.name for card in said.cards] == [card.name for card in made.cards]
        assert [_said(take) for take in said.takes] == [_said(take) for take in made.takes]


def _said(take):
    """No extractor keeps the marks around a whole take that a page quotes."""
    return take.side, take.seat, take.score, take.verdict, " ".join(take.text.split()).strip("“”")
