"""What a worker hands over is Unicode, whatever a page spells; and why nothing of a run could be read."""

from dataclasses import replace

import pytest

from builders.normalize_pages import observe_page, page, tool
from verdicts.extract.model.records import Document, Reject
from verdicts.pipeline.build.record_files import NAME_ITS_ADDRESS, why_nothing_was_read, write_records
from verdicts.pipeline.workers.record_rows import make_record_row

SEEN = observe_page(tool("alpha"), tool("beta"))


@pytest.mark.parametrize(
    ("spelled", "kept"),
    [
        ("Flux \ud83d Pro", "Flux  Pro"),
        ("\x00Flux\udcff", "Flux"),
        ("Flux \U0001f600", "Flux \U0001f600"),
        (r"\u0000", r"\u0000"),
    ],
)
def test_half_a_pair_and_nul_are_left_out_of_every_text(spelled, kept):
    comparison = page(tool("alpha", name=spelled), tool("beta", tagline=spelled))
    for extracted, text in (
        (comparison, lambda x: x.cards[0].name),
        (Document(None, None, None, spelled), lambda x: x.text),
    ):
        again = make_record_row(replace(SEEN, extracted=extracted)).observation
        assert text(again.extracted) == kept
    assert make_record_row(replace(SEEN, extracted=comparison)).observation.extracted.cards[1].tagline == kept


def test_a_failure_beside_an_earlier_reading_comes_back():
    failed = replace(SEEN, failure=Reject("too_slow", "more than 5 s"))
    assert make_record_row(failed).observation == failed


NOT_ONE, EMPTY = Reject("not_a_comparison", "nothing on the page says so"), Reject("empty", "no words")
FILE, PAGE = "urn:sha256:00", "https://a.example/b"


@pytest.mark.parametrize(
    ("read", "hints"),
    [
        ([(FILE, NOT_ONE)], 1),
        ([(PAGE, NOT_ONE), (FILE, NOT_ONE), (FILE, EMPTY), (FILE, NOT_ONE)], 1),
        ([(PAGE, NOT_ONE), (FILE, EMPTY)], 0),
        ([(FILE, NOT_ONE), (PAGE, SEEN.extracted)], 0),
    ],
)
def test_one_hint_asks_for_the_addresses_of_files_that_have_none(tmp_path, read, hints):
    rows = [make_record_row(replace(SEEN, url=url, extracted=extracted)) for url, extracted in read]
    file = tmp_path / f"{SEEN.crawl_id}-00001.parquet"
    write_records(file, rows)
    assert why_nothing_was_read([file], SEEN.crawl_id).count(NAME_ITS_ADDRESS) == hints
