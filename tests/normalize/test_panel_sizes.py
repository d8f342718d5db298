"""How many takes each tool has on a page."""

import pytest

from builders.normalize_pages import observed, page, tool
from verdicts.extract.model.stored import stored
from verdicts.normalize.attribution.page_takes import PageTakes, PageTakesIndex, page_panel_sizes
from verdicts.normalize.corpus import STAGES
from verdicts.normalize.stages.relations import MENTIONS, OBSERVED
from verdicts.normalize.work import Known, MemoryMail, work_on


@pytest.mark.parametrize(
    ("seats_a", "skips_a", "seats_b", "skips_b", "sizes"),
    [(4, 1, 4, 0, (4, 4)), (3, 1, 4, 1, (3, 4)), (3, 1, 4, 0, (None, None)), (4, 0, 4, 0, (None, None))],
)
def test_a_percentage_gives_the_panel_where_only_one_size_fits(
    seats_a: int, skips_a: int, seats_b: int, skips_b: int, sizes: tuple[int | None, int | None]
) -> None:
    seats = ("Builder", "Skeptic", "Futurist", "PM")
    shown = page(tool("a", seats[:seats_a], skips=skips_a), tool("b", seats[:seats_b], skips=skips_b), "quotes")
    mail = MemoryMail()
    mail.post(OBSERVED, 0, [stored(observed(shown))])
    for stage in STAGES[:4]:
        work_on(stage, 0, Known(), mail)
    head = mail.read(MENTIONS, 0)[0].version
    unknown, texts = (None,) * len(shown.takes), tuple(take.text for take in shown.takes)
    takes = PageTakes(head, texts, texts, labels=unknown, sides=unknown)
    assert page_panel_sizes(takes, PageTakesIndex([], [])) == sizes
