"""Site profiles: what a file must declare, and which profile reads a page."""

import re
import tomllib

import pytest

from builders.renderings import RENDERERS, page_url
from builders.sites import SITES, own_profile, pages, with_profile
from builders.snapshots import html, snapshot
from verdicts.demo_site.site_facts import load_facts
from verdicts.extract.model.records import Comparison, Document, Reject
from verdicts.extract.page import extract
from verdicts.extract.panel.profile import (
    FOLDER,
    SHIPPED,
    BrokenProfile,
    find_profile,
    parse_profile,
    profiles_by_name,
    read_profile,
)

FACTS = load_facts()
PAIR = FACTS.pairs[0]
DECLARED = tomllib.loads((FOLDER / "shiporskip.toml").read_text(encoding="utf-8"))
(SISTER,) = SITES
BOTH = with_profile(own_profile(SISTER))


def sister_page(name: str) -> bytes:
    return next(page.body for page in pages(SISTER) if page.name == name)


@pytest.mark.parametrize(
    ("part", "change", "words"),
    [
        ("card", {"entry": None}, "missing required field `entry` - at `$.card`"),
        ("card", {"entry": ""}, "length >= 1 - at `$.card.entry`"),
        ("values", {"colour": "red"}, "unknown field `colour` - at `$.values`"),
        ("values", {"verdicts": {"Maybe": "perhaps"}}, "Invalid enum value 'perhaps' - at `$.values.verdicts[...]`"),
        (
            "scorecard",
            {"reviewers_in_page_order": {"Cook": "Cook"}},
            "Invalid enum value 'Cook' - at `$.scorecard.reviewers_in_page_order[...]`",
        ),
    ],
)
def test_a_broken_profile_is_refused_by_file_and_key(tmp_path, part, change, words):
    changed = {name: value for name, value in (DECLARED[part] | change).items() if value is not None}
    with pytest.raises(BrokenProfile, match=re.escape(words)):
        parse_profile("broken", DECLARED | {part: changed})
    path = tmp_path / "no_toml.toml"
    path.write_text("hosts = [", encoding="utf-8")
    with pytest.raises(BrokenProfile, match="no_toml"):
        read_profile(path)


def test_two_profiles_cannot_claim_one_host():
    other = parse_profile("other", DECLARED)
    with pytest.raises(BrokenProfile, match=r"shiporskip\.io is a host of shiporskip and of other"):
        profiles_by_name([SHIPPED["shiporskip"], other])


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://shiporskip.io/compare/a-vs-b", "shiporskip"),
        ("https://WWW.shiporskip.io/", "shiporskip"),
        ("http://demo.verdicts.example:8000/compare/a-vs-b", "shiporskip"),
        ("https://shiporskip.app/compare/a-vs-b", None),
        ("https://not.shiporskip.io/compare/a-vs-b", None),
        ("urn:sha256:00ff", None),
        ("https://de.verdicts.example/", "verdicts_de"),
    ],
)
def test_hosts_are_matched_exactly(url, name):
    profile = find_profile(url, BOTH)
    assert (None if profile is None else profile.name) == name


@pytest.mark.parametrize("rendering", RENDERERS)
def test_a_panel_page_on_a_host_of_no_profile_is_read_by_its_words(rendering):
    make = html if rendering.startswith("html") else snapshot
    comparison = extract(make(RENDERERS[rendering](FACTS, PAIR), "https://mirror.example/some/page"), BOTH)
    assert isinstance(comparison, Comparison), comparison
    assert comparison.profile == "shiporskip"


@pytest.mark.parametrize("url", ["https://mirror.example/some/page", None])
@pytest.mark.parametrize("name", ["cards_and_tables.html", "dump_with_scorecard.txt", "quotes.txt"])
def test_a_page_is_read_with_the_profile_whose_words_stand_on_it(name, url):
    make = html if name.endswith("html") else snapshot
    comparison = extract(make(sister_page(name), url), BOTH)
    assert isinstance(comparison, Comparison), comparison
    assert comparison.profile == "verdicts_de"


def test_a_page_on_a_profiles_host_is_read_with_that_profile_alone():
    outcome = extract(html(sister_page("cards_and_tables.html"), page_url(PAIR)), BOTH)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "not_a_comparison"


def test_the_words_of_no_known_site_are_named_where_a_page_had_to_be_a_comparison():
    outcome = extract(snapshot("A recipe for bread.\n"), BOTH)
    assert isinstance(outcome, Reject)
    assert "'Panel ship' or 'Panel nimmt'" in outcome.detail


def test_the_comparison_path_is_that_of_the_profile():
    article = sister_page("no_comparison.html")
    assert isinstance(extract(html(article, "https://de.verdicts.example/vergleich/so"), BOTH), Reject)
    assert isinstance(extract(html(article, "https://de.verdicts.example/compare/so"), BOTH), Document)
