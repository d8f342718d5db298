"""Every rendering of every demo page gives the facts it was made from."""

from dataclasses import asdict
from typing import Any

import pytest

from extract import Comparison, extract
from fixtures.demo.answer_key import expected
from fixtures.demo.facts import load_facts
from renderings import RENDERERS, rendered


def without_spans(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_spans(item) for name, item in value.items() if name != "span"}
    if isinstance(value, list | tuple):
        return [without_spans(item) for item in value]
    return value


@pytest.mark.parametrize("rendering", RENDERERS)
def test_every_page_of_a_rendering_gives_the_facts_it_was_made_from(rendering):
    for pair in load_facts().pairs:
        found = extract(rendered(pair, rendering))
        assert isinstance(found, Comparison), (pair.path, found)
        assert without_spans(asdict(found)) == expected(pair, rendering), pair.path


def test_every_take_can_be_found_again_in_the_blocks_it_names():
    pair = load_facts().pairs[0]
    found = extract(rendered(pair, "innertext"))
    lines = [line for line in RENDERERS["innertext"](load_facts(), pair).splitlines() if line.strip()]
    assert isinstance(found, Comparison)
    for take in found.takes:
        assert take.text in " ".join(lines[take.span.first : take.span.last + 1])
