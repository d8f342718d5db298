"""A site in other words is a profile and no code: its pages give the rows of English pages of the same facts."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from builders import normalize_pages as made
from builders.sites import SITES, observe_pages, own_profile, pages, profile_file, with_profile
from verdicts.extract.panel.profile import SHIPPED, SiteProfile, parse_profile
from verdicts.normalize.corpus import Corpus, normalize

ENGLISH = SHIPPED["shiporskip"]

OWN_COLUMNS = {"url", "address", "host", "hosts", "panel_verdict_raw", "community_raw", "detail"}
"""Columns in which a site and its twin differ: addresses, lines as printed, and reasons that quote the page."""

CORPUS_WORDS = {"panel_size_max", "chip_bounds"}
"""Keys of a profile that hold numbers and the corpus' words, none of the site's."""

BY_WORD = {"verdicts", "entries", "reviewers_in_page_order", "reviewers_without_place"}
"""Tables of the site's word to the corpus' value."""


def normalize_site(site: Path, profile: SiteProfile) -> Corpus:
    profiles = with_profile(profile)
    return normalize(observe_pages(pages(site), profiles), profiles=profiles)


def english_corpus(site: Path) -> Corpus:
    return normalize(observe_pages(pages(site, english=True), SHIPPED))


def comparable(corpus: Corpus, profile: SiteProfile) -> Mapping[str, Counter[str]]:
    """Every table's rows without the site's own columns; an id is replaced by what it stands for."""
    rows: Mapping[str, Any] = corpus
    separator = profile.page.title_separator
    names = {row.tool_id: f"{row.slug} {row.name}, {row.tagline}" for row in rows["tools"]}
    names |= {row.alias_id: f"alias of {row.name}, {row.tagline}" for row in rows["tool_aliases"]}
    names |= {row.page_id: (row.title or "unread").replace(separator, " vs ") for row in rows["pages"]}
    names |= {row.text_id: f"take {row.text}" for row in rows["appearances"]}

    def plain(row: Any) -> str:
        values = {name: names.get(str(value), value) for name, value in asdict(row).items() if name not in OWN_COLUMNS}
        if "title" in values:
            values["title"] = str(values["title"]).replace(separator, " vs ")
        return repr(sorted(values.items()))

    return {table: Counter(map(plain, rows[table])) for table in rows}


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_the_pages_give_the_rows_of_their_english_twins(site):
    profile = own_profile(site)
    own, english = comparable(normalize_site(site, profile), profile), comparable(english_corpus(site), ENGLISH)
    for table, rows in english.items():
        assert own[table] == rows, table
    filled = {table for table, rows in english.items() if rows}
    assert {"tools", "tool_cards", "verdicts", "reviews", "appearances", "attribution_evidence", "rejects"} <= filled


def remove_each_word(declared: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every profile that lacks one of the site's words: the key of the word, and what is declared without it."""
    if isinstance(declared, dict):
        for name, value in declared.items():
            where = f"{key}.{name}"
            if name in BY_WORD:
                for word in value:
                    yield f"{where}.{word}", {**declared, name: {kept: value[kept] for kept in value if kept != word}}
            elif name not in CORPUS_WORDS:
                yield from ((path, {**declared, name: other}) for path, other in remove_each_word(value, where))
    elif isinstance(declared, list):
        for index, value in enumerate(declared):
            for path, other in remove_each_word(value, f"{key}[{index}]"):
                yield path, [*declared[:index], other, *declared[index + 1 :]]
    else:
        yield f"{key} = {declared}", "¤" * len(declared)


UNUSED = {
    "verdicts_de": frozenset(
        (
            ".addresses.tool_path = /werkzeug/",
            ".page.no_value[1] = k. A.",
            ".card.category[0] = Kategorie",
            ".card.tagline[0] = Kurzsatz",
            ".card.chip[0] = Marke",
            ".card.description[0] = Beschreibung",
            ".card.name[0] = Werkzeug",
            ".scorecard.column_heads[0] = Prüfer",
            ".values.thousands_separator = .",
        )
    )
}
"""Words of a site that its pages here do not need: its cards have no labels, and stand in the order of the address."""


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
@pytest.mark.whole
def test_without_any_one_word_of_the_profile_the_rows_are_others(site):
    declared = tomllib.loads(profile_file(site).read_text(encoding="utf-8"))
    expected = comparable(english_corpus(site), ENGLISH)
    without_effect = []
    for key, lacking in remove_each_word(declared):
        profile = parse_profile(site.name, lacking)
        if comparable(normalize_site(site, profile), profile) == expected:
            without_effect.append(key)
    assert {*without_effect} <= UNUSED.get(site.name, frozenset())


def test_versions_of_one_page_may_come_from_sites_in_different_words():
    alpha, beta = made.tool("alpha"), made.tool("beta", skips=1)
    english = made.page(alpha, beta, "quotes")
    dump = made.page(alpha, beta, "innertext")
    first, second = dump.decisions
    decisions = (
        replace(first, verdict="Nehmen · 4 nehmen / 0 lassen", community="62% · 1.130 Stimmen"),
        replace(second, verdict="Nehmen · 3 nehmen / 1 lassen", community="Noch keine Stimmen"),
    )
    german = replace(dump, profile="verdicts_de", decisions=decisions)
    profiles = with_profile(own_profile(SITES[0]))
    corpus = normalize([made.observe(english, made.address(alpha, beta)), made.observe(german)], profiles=profiles)
    assert [page.renderings for page in made.rows(corpus, "pages")] == [("innertext", "quotes")]
    votes = [(row.panel_verdict, row.ship_votes, row.skip_votes, row.community_votes) for row in corpus["verdicts"]]
    assert votes == [("ship", 4, 0, 1130), ("ship", 3, 1, 0)]
    assert not corpus["rejects"]
    assert not corpus["discrepancies"]
