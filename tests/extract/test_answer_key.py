"""Every rendering of every demo page gives the facts it was made from."""

from dataclasses import asdict

import pytest

from builders.answer_key import make_key, without_spans
from builders.renderings import RENDERERS, render_pair
from verdicts.demo_site.site_facts import load_facts
from verdicts.extract.model.records import Comparison
from verdicts.extract.page import extract, source_words


@pytest.mark.parametrize("rendering", RENDERERS)
@pytest.mark.share(3)
def test_every_page_of_a_rendering_gives_the_facts_it_was_made_from(rendering):
    for pair in load_facts().pairs:
        comparison = extract(render_pair(pair, rendering))
        assert isinstance(comparison, Comparison), (pair.path, comparison)
        assert without_spans(asdict(comparison)) == make_key(pair, rendering), pair.path


@pytest.mark.parametrize("rendering", RENDERERS)
@pytest.mark.share(3)
def test_every_record_leads_back_to_the_words_it_was_read_from(rendering):
    for pair in load_facts().pairs[::8]:
        page = render_pair(pair, rendering)
        comparison = extract(page)
        assert isinstance(comparison, Comparison)
        for card in comparison.cards:
            assert {card.name, card.tagline, card.category, card.entry} <= set(source_words(page, card.span))
        for decision in comparison.decisions:
            assert {decision.verdict, decision.pricing} <= set(source_words(page, decision.span))
        for take in comparison.takes:
            words = source_words(page, take.span)
            assert take.text in " ".join(words)
            assert take.score is None or words[0].startswith(take.score)
