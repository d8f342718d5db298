"""One snapshot to one record: decodes its bytes, and chooses reader and profile.

A page in windows-1252 labelled UTF-8, or unlabelled, is read as windows-1252 with a doubt: browsers show U+FFFD for the
first, and guess windows-1252 for the second. Other invalid bytes give a doubt if no record contains them. If a record
would contain U+FFFD, the page is rejected. A U+FFFD that the site itself sent gives a doubt in a text; in a tool's name
it would make another tool.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec.json import encode

from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import Block, fold, text_blocks
from verdicts.extract.model.records import Comparison, Document, Doubt, Extracted, PageRejected, Reject, Span
from verdicts.extract.model.stored import in_unicode
from verdicts.extract.panel.comparison import read_dump, read_page
from verdicts.extract.panel.profile import SHIPPED, Profiles, SiteProfile, find_profile, page_words
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes, find_recipe
from verdicts.fetch.model.addresses import split_address
from verdicts.fetch.model.charset import REPLACEMENT, UTF_8_MARK, Declared, decode, find_encoding
from verdicts.fetch.model.snapshot import Snapshot, has_address, parse_charset, parse_media_type

if TYPE_CHECKING:
    from verdicts.extract.generic.side_by_side import Compared
    from verdicts.extract.generic.web_page import WebPage

EXTRACTOR_VERSION = "25"
"""Raised whenever the same snapshot may give other records than before, so that all are read again."""

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
TEXT_TYPES = frozenset({"text/plain"})

HTML_MARKS = (b"<!doctype", b"<html", b"<head", b"<body", b"<div", b"<p")
"""HTML has one of these in its first HTML_REACH bytes."""
HTML_REACH = 4096

REPLACED = "\ufffd"
NUL = "\x00"

DAMAGE_MAX = 5
DAMAGE_SHARE_MAX = 0.1
"""The most damaged places, and their share of all characters.

Pasted bytes are one or two; a wrong label damages every apostrophe, and a picture is damaged from its first byte on.
"""

_WESTERN = re.compile(
    rb"(?>(?:[\x01-\x7f]|[\xc0-\xf4](?![\x80-\xbf])|[\x80\x82-\x8c\x8e\x91-\x9c\x9e-\xbf\xf5-\xff])*)"
)
"""Windows-1252 that cannot be broken UTF-8: no NUL, no byte without a character, nowhere the first byte of a letter of
UTF-8 before one that could go on with it."""
_HIGH = bytes(range(0x80, 0x100))

_LOST_BY_SITE = "the site itself shows U+FFFD where it lost a letter"

QUOTED = 30
"""Characters to quote before the first damage."""


@dataclass(frozen=True, slots=True)
class Utf8Page:
    """A page in UTF-8. `damage` says where bytes are not in the page's encoding, if any."""

    text: bytes
    declared: Declared
    damage: str | None = None

    @property
    def is_html(self) -> bool:
        return holds_html(self.text)


def holds_html(body: bytes) -> bool:
    """Whether a file is a page, not a text dump of a page."""
    start = body[:HTML_REACH].lower()
    return b"<" in body and any(mark in start for mark in HTML_MARKS)


def extract(snapshot: Snapshot, profiles: Profiles = SHIPPED, recipes: Recipes = NO_RECIPES) -> Extracted:
    """The record of a snapshot. Never raises for a page's content: an unreadable page is a `Reject`.

    A page on a host of one of the `profiles` is read with that profile; any other page, and a file without an address,
    with the first profile whose words it contains. If the page is not a panel's comparison and the generic reader finds
    no tools, its host's recipe reads it.
    """
    try:
        page, media_type = _page(snapshot)
        return _read_undamaged(page, lambda: _read(page, media_type, snapshot.final_url, profiles, recipes))
    except PageRejected as rejected:
        return rejected.reject


def source_words(snapshot: Snapshot, span: Span, profiles: Profiles = SHIPPED) -> tuple[str, ...]:
    """The texts of these blocks: the source of a record. Raises `PageRejected`."""
    page, media_type = _page(snapshot)
    _, blocks = _panel_reading(_parse_page(page, media_type, snapshot.final_url), snapshot.final_url, profiles)
    return tuple(block.text for block in blocks[span.first : span.last + 1])


def _page(snapshot: Snapshot) -> tuple[Utf8Page, str]:
    """The page in UTF-8 and its media type; a page without a type that is not HTML is a text dump."""
    content_type = snapshot.header("content-type")
    media_type = parse_media_type(content_type)
    page = _utf8(snapshot.body, parse_charset(content_type), is_html=media_type not in TEXT_TYPES)
    return page, media_type if media_type or page.is_html else "text/plain"


def _parse_page(page: Utf8Page, media_type: str, url: str) -> Page | tuple[Block, ...]:
    """An HTML page, or the lines of a text dump. Raises `PageRejected` (`not_html`)."""
    if media_type in TEXT_TYPES:
        return text_blocks(page.text.decode())
    if media_type and media_type not in HTML_TYPES:
        raise PageRejected("not_html", f"the page calls itself {media_type}, and only HTML and plain text are read")
    if not page.is_html:
        raise PageRejected("not_html", f"the page calls itself {media_type} and holds no HTML")
    return Page(page.text, url)


def _read(page: Utf8Page, media_type: str, url: str, profiles: Profiles, recipes: Recipes) -> Extracted:
    parsed = _parse_page(page, media_type, url)
    try:
        return _panel_reading(parsed, url, profiles)[0]
    except PageRejected as rejected:
        is_other = rejected.reject.reason == "not_a_comparison" and isinstance(parsed, Page)
        if not is_other or _must_be_comparison(url, profiles):
            raise
    assert isinstance(parsed, Page)
    return _extract_other_site(parsed, page, url, profiles, recipes)


def _extract_other_site(parsed: Page, page: Utf8Page, url: str, profiles: Profiles, recipes: Recipes) -> Document:
    """The record of a page that is not a panel's comparison. Raises `PageRejected` (`empty`)."""
    # Imported late, so that `source_words` does not load the readers of other sites.
    from verdicts.extract.generic.main_text import read_document, with_sections  # noqa: PLC0415
    from verdicts.extract.generic.web_page import WebPage  # noqa: PLC0415

    compared = _compare(WebPage(parsed), url, recipes)
    if compared.side_by_side is None and find_profile(url, profiles) is not None:
        # `Compare AI tools` is the list of a panel's comparisons: its own pages have the tools that it promises.
        compared = replace(compared, doubts=tuple(doubt for doubt in compared.doubts if doubt.rule != "list_not_read"))
    document = read_document(page.text.decode(), url)
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


def _panel_reading(page: Page | tuple[Block, ...], url: str, profiles: Profiles) -> tuple[Comparison, Sequence[Block]]:
    """The comparison, and the blocks that its spans count.

    A page is read with its host's profile, else with the first profile whose words it contains.
    """
    profile_of_host = find_profile(url, profiles)
    candidates: list[SiteProfile] = [*profiles.values()] if profile_of_host is None else [profile_of_host]
    for profile in candidates:
        if profile_of_host is None and isinstance(page, Page) and not _may_say(page, profile.card.panel_ship):
            continue
        words = page_words(profile)
        try:
            return read_page(page, words) if isinstance(page, Page) else (read_dump(page, words), page)
        except PageRejected as rejected:
            if rejected.reject.reason != "not_a_comparison":
                raise
    labels = " or ".join(f"'{profile.card.panel_ship}'" for profile in candidates)
    raise PageRejected(
        "not_a_comparison", f"nothing on the page says {labels}, so no two tools are set side by side"
    ) from None


def _may_say(page: Page, label: str) -> bool:
    """Whether each word of a label is in a page: to look for a panel costs as much as all else on other sites."""
    written = page.utf8.lower()
    return all(word.encode() in written for word in fold(label).split() if word.isascii())


def _must_be_comparison(url: str, profiles: Profiles) -> bool:
    """A file without an address is meant as one; so is every page below its site's comparison path."""
    profile, address = find_profile(url, profiles), split_address(url)
    if profile is None or address is None:
        return not has_address(url)
    return profile.addresses.read_slugs(address.path) is not None


def _compare(page: "WebPage", url: str, recipes: Recipes) -> "Compared":
    """The comparison on a page without a profile; its recipe reads it if `always`, or if nothing else does."""
    from verdicts.extract.generic.side_by_side import Compared, read_side_by_side  # noqa: PLC0415
    from verdicts.extract.recipes.reading import read_by_recipe  # noqa: PLC0415

    compared = read_side_by_side(page)
    recipe = find_recipe(url, recipes)
    if recipe is None or (compared.side_by_side is not None and not recipe.always):
        return compared
    by_recipe = read_by_recipe(page, recipe)
    if by_recipe.side_by_side is None:
        return replace(compared, side_by_side=None, doubts=tuple(dict.fromkeys((*compared.doubts, *by_recipe.doubts))))
    return Compared(by_recipe.side_by_side, by_recipe.doubts, compared.grids, compared.prose)


# The bytes of a page as text.


def _utf8(body: bytes, charset: str | None, *, is_html: bool) -> Utf8Page:
    """The page's text. `charset`: of its Content-Type. Raises `PageRejected` (`empty`, `undecodable`)."""
    if not body or body.isspace():
        raise PageRejected("empty", "the page has no content" if not body else "the page is white space only")
    declared = find_encoding(body, charset, is_html=is_html)
    if declared.encoding == REPLACEMENT:
        raise PageRejected("undecodable", f"{declared.source} names an encoding that no browser reads")
    if declared.encoding == "utf-8":
        if _is_text(body):
            return Utf8Page(body.removeprefix(UTF_8_MARK), declared)
        if _is_western(body):
            return Utf8Page(
                decode(body, "windows-1252").encode(),
                declared,
                f"{_damage(body, '', declared, len(body) - len(body.translate(None, _HIGH)))}: read as windows-1252",
            )
    text = decode(body, declared.encoding)
    damaged = text.count(REPLACED) + text.count(NUL)
    damage = _damage(body, text, declared, damaged) if damaged else None
    if damaged > min(DAMAGE_MAX, DAMAGE_SHARE_MAX * len(text)):
        raise PageRejected("undecodable", f"not {_describe_expected(declared)}: {damage}")
    # Browsers ignore NULs in visible text.
    return Utf8Page(text.replace(NUL, "").encode(), declared, damage)


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\x00" not in body


def _is_western(body: bytes) -> bool:
    """Whether the bytes can only be windows-1252."""
    # English, French or German: in Russian (koi8-r) or Japanese most bytes are not ASCII.
    count = len(body) - len(body.translate(None, _HIGH))
    return count <= DAMAGE_SHARE_MAX * len(body) and _WESTERN.fullmatch(body) is not None


def _damage(body: bytes, text: str, declared: Declared, count: int) -> str:
    """Where the text differs from the site's, and at how many places."""
    more = f", and {count - 1:,} more places" if count > 1 else ""
    try:
        if declared.encoding == "utf-8":
            body.decode()
    except UnicodeDecodeError as error:
        return f"byte 0x{body[error.start]:02x} at offset {error.start:,}{more}"
    first = min(index for index in (text.find(REPLACED), text.find(NUL)) if index >= 0)
    before = " ".join(text[:first][-QUOTED:].split())
    return f"bytes {f'after {before!r}' if before else 'at its beginning'}{more}"


def _describe_expected(declared: Declared) -> str:
    return f"text in {declared.encoding} ({declared.source})"


def _read_undamaged(page: Utf8Page, read: Callable[[], Extracted]) -> Extracted:
    """The result of `read`, with a doubt if the page is damaged elsewhere.

    Raises `PageRejected`: from `read`, or `undecodable` if a damaged page gives no record, a record lost a letter, or a
    name already lost one on the site.
    """
    try:
        extracted = read()
    except PageRejected as rejected:
        if page.damage is None:
            raise
        detail = f"not {_describe_expected(page.declared)}: {page.damage}; and {rejected.reject.detail}"
        raise PageRejected("undecodable", detail) from None
    is_shown = REPLACED.encode() in _encode_texts(extracted)
    if is_shown and (page.damage is not None or any(REPLACED in name for name in _names(extracted))):
        raise PageRejected("undecodable", f"not {_describe_expected(page.declared)}: {page.damage or _LOST_BY_SITE}")
    if isinstance(extracted, Reject) or (page.damage is None and not is_shown):
        return extracted
    doubt = Doubt("undecodable_bytes", None, _describe_expected(page.declared), page.damage or _LOST_BY_SITE)
    return replace(extracted, doubts=(*extracted.doubts, doubt))


def _names(extracted: Extracted) -> Iterator[str]:
    """The names that identify tools."""
    if isinstance(extracted, Comparison):
        yield from (card.name for card in extracted.cards)
    elif isinstance(extracted, Document) and extracted.side_by_side is not None:
        yield from extracted.side_by_side.tools


def _encode_texts(extracted: Extracted) -> bytes:
    """The stored texts. Doubts quote the page as it is."""
    kept = extracted if isinstance(extracted, Reject) else replace(extracted, doubts=())
    try:
        return encode(kept)
    except UnicodeEncodeError:
        # `"datePublished": "\ud800"`
        return encode(in_unicode(kept))
