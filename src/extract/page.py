"""One snapshot to one record: decides what the page is and which reader and profile read it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.generic.main_text import read_document, with_sections
from verdicts.extract.generic.side_by_side import Compared, read_side_by_side
from verdicts.extract.html.decoding import Utf8Page, read_undamaged, utf8
from verdicts.extract.model.blocks import Block, text_blocks
from verdicts.extract.model.records import Comparison, Document, Extracted, PageRejected, Span
from verdicts.extract.panel.comparison import read_dump
from verdicts.extract.panel.html_page import parse_page, read_page
from verdicts.extract.panel.profile import SHIPPED, Profiles, SiteProfile, profile_of_host
from verdicts.extract.panel.texts import PageWords, page_words
from verdicts.extract.recipes.reading import read_by_recipe
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes, recipe_of
from verdicts.fetch.model.addresses import web_address
from verdicts.fetch.model.snapshot import Snapshot, charset_of, has_address, media_type_of

EXTRACTOR_VERSION = "8"
"""Raised whenever the same snapshot may yield other records than before, so that all are read again."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
TEXT_TYPES = frozenset({"text/plain"})

HTML_MARKS = (b"<!doctype", b"<html", b"<head", b"<body", b"<div", b"<p")
"""What HTML has one of within its first HTML_REACH bytes."""
HTML_REACH = 4096


Reading: TypeAlias = tuple[Comparison, tuple[Block, ...]]
"""A comparison, and the blocks that its spans count."""


def extract(snapshot: Snapshot, profiles: Profiles = SHIPPED, recipes: Recipes = NO_RECIPES) -> Extracted:
    """What a snapshot says. Never raises for what a page holds: a page that cannot be read is a `Reject`.

    A page on a host of one of the `profiles` is read with that profile; any other page, and a file without an address,
    with the first one whose words stand on it. One that is no comparison of theirs, and that the generic reader makes
    no tools of, is read by the recipe of its host.
    """
    try:
        return _extract(snapshot, profiles, recipes)
    except PageRejected as rejected:
        return rejected.reject


def source_words(snapshot: Snapshot, span: Span, profiles: Profiles = SHIPPED) -> tuple[str, ...]:
    """The texts of these blocks, as the page has them: what a record was read from. Raises `PageRejected`."""
    page, is_text = _page(snapshot)
    if is_text:
        blocks = text_blocks(page.text.decode())
    else:
        _, blocks = _panel_reading(
            partial(read_page, parse_page(page.text, snapshot.final_url)), snapshot.final_url, profiles
        )
    return tuple(block.text for block in blocks[span.first : span.last + 1])


def _page(snapshot: Snapshot) -> tuple[Utf8Page, bool]:
    """The page in UTF-8, and whether it is a text dump."""
    content_type = snapshot.header("content-type")
    media_type = media_type_of(content_type)
    page = utf8(snapshot.body, charset_of(content_type), is_html=media_type not in TEXT_TYPES)
    return page, media_type in TEXT_TYPES or (not media_type and not _looks_like_html(page.text))


def _extract(snapshot: Snapshot, profiles: Profiles, recipes: Recipes) -> Extracted:
    page, is_text = _page(snapshot)
    return read_undamaged(page, partial(_read, page.text, snapshot, profiles, recipes, is_text=is_text))


def _read(page: bytes, snapshot: Snapshot, profiles: Profiles, recipes: Recipes, *, is_text: bool) -> Extracted:
    if is_text:
        return _extract_text(page.decode(), snapshot.final_url, profiles)
    media_type = media_type_of(snapshot.header("content-type"))
    if media_type and media_type not in HTML_TYPES:
        raise PageRejected("not_html", f"the page calls itself {media_type}, and only HTML and plain text are read")
    if not _looks_like_html(page):
        raise PageRejected("not_html", f"the page calls itself {media_type or 'nothing'} and holds no HTML")
    return _extract_html(page, snapshot.final_url, profiles, recipes)


def _extract_text(text: str, url: str, profiles: Profiles) -> Comparison:
    blocks = text_blocks(text)
    return _panel_reading(lambda words: (read_dump(blocks, words), blocks), url, profiles)[0]


def _extract_html(page: bytes, url: str, profiles: Profiles, recipes: Recipes) -> Extracted:
    try:
        return _panel_reading(partial(read_page, parse_page(page, url)), url, profiles)[0]
    except PageRejected as rejected:
        if rejected.reject.reason != "not_a_comparison" or _must_be_comparison(url, profiles):
            raise
    compared = _compared(page, url, recipes)
    document = read_document(page.decode(), url)
    if document is None and compared.side_by_side is None:
        raise PageRejected("empty", "the page is no comparison and has no main text")
    document = document or Document(None, None, None, "")
    return replace(
        document,
        text=with_sections(document.text, compared.prose),
        side_by_side=compared.side_by_side,
        doubts=compared.doubts,
        grids=compared.grids,
    )


def _compared(page: bytes, url: str, recipes: Recipes) -> Compared:
    """What a page of no profile compares, read by its host's recipe where that says so or nothing else does."""
    compared = read_side_by_side(LexborHTMLParser(page, scripting=True), url)
    recipe = recipe_of(url, recipes)
    if recipe is None or (compared.side_by_side is not None and not recipe.always):
        return compared
    by_recipe = read_by_recipe(page, url, recipe)
    if by_recipe.side_by_side is None:
        return replace(compared, side_by_side=None, doubts=tuple(dict.fromkeys((*compared.doubts, *by_recipe.doubts))))
    return Compared(by_recipe.side_by_side, by_recipe.doubts, compared.grids, compared.prose)


def _panel_reading(read: Callable[[PageWords], Reading], url: str, profiles: Profiles) -> Reading:
    """The page read with the profile of its host; without one, with the first profile whose words stand on it."""
    own = profile_of_host(url, profiles)
    candidates: list[SiteProfile] = [*profiles.values()] if own is None else [own]
    for profile in candidates:
        try:
            return read(page_words(profile))
        except PageRejected as rejected:
            if rejected.reject.reason != "not_a_comparison":
                raise
    labels = " or ".join(f"'{profile.card.panel_ship}'" for profile in candidates)
    raise PageRejected(
        "not_a_comparison", f"nothing on the page says {labels}, so no two tools are set side by side"
    ) from None


def _looks_like_html(page: bytes) -> bool:
    start = page[:HTML_REACH].lower()
    return b"<" in page and any(mark in start for mark in HTML_MARKS)


def _must_be_comparison(url: str, profiles: Profiles) -> bool:
    """A file handed over without an address was meant as one; so was every page below its site's comparison path."""
    own, address = profile_of_host(url, profiles), web_address(url)
    if own is None or address is None:
        return not has_address(url)
    return address.path.startswith(own.addresses.comparison_path)
