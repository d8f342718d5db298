"""Reads a page or a dump as one comparison: its visible parts, and hidden or lazy parts if they say more."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape, unescape
from itertools import pairwise, product
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.corpus.enumerations import SIDES
from verdicts.extract.html.elements import UNSEEN
from verdicts.extract.html.html_page import MENUS, Page
from verdicts.extract.model.blocks import Block
from verdicts.extract.model.records import Card, Comparison, Doubt, PageRejected
from verdicts.extract.panel.cards import read_cards
from verdicts.extract.panel.decision_table import panel_votes, read_decision
from verdicts.extract.panel.page_parts import Sections, copy_doubts, find_anchors, find_frame, find_sections, opens_take
from verdicts.extract.panel.profile import PERCENT, PageWords, sizes_with_pct
from verdicts.extract.panel.scorecard import Scorecard, read_scorecard
from verdicts.extract.panel.take_cells import PanelVotes
from verdicts.extract.panel.texts import Texts, arrange, dump_lines
from verdicts.fetch.model.addresses import find_base, split_address
from verdicts.fetch.parse.page_head import read_head

END_REACH = 500
"""The last tags are first searched in this many bytes at the page's end."""

_END = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)
_LAZY = re.compile(r"<(/?)(?:template|noscript|dialog|iframe)\b[^<>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"""<iframe\b[^<>]*?\bsrcdoc=(["'])(.*?)\1[^<>]*>""", re.IGNORECASE | re.DOTALL)
"""A page within the page, as an attribute."""
_NARROW = re.compile(r"(?<!\S)(?:(?:sm|md|lg|xl):hidden|d-(?:sm|md|lg|xl)-none)(?!\S)")
"""Classes of what only a narrow window shows."""
_ICONS = 'svg, img, [role="img"], i[aria-label], i[title], meter, [role="meter"]'
_NAMES = ("aria-label", "alt", "title")
_WITHOUT_MENUS = UNSEEN | {MENUS, "rt", "rp"}
"""Menus hold no comparison, and the small print over a name is no part of it."""


def read_page(page: Page, words: PageWords) -> tuple[Comparison, Texts]:
    """The comparison on the page, and the blocks of its spans. Raises `PageRejected` for the visible page."""
    comparison, texts = _read_best(page, words)
    return replace(comparison, canonical_url=read_canonical(page)), texts


def read_canonical(page: Page) -> str | None:
    """The canonical address in the head; None if several disagree. The crawl reads the same."""
    head = read_head(page.utf8, "")
    if len({*head.canonicals}) != 1:
        return None
    address = split_address(head.canonicals[0], find_base(page.url, head.base))
    return None if address is None else address.url


def _read_best(page: Page, words: PageWords) -> tuple[Comparison, Texts]:
    """The best of the ways to read the page. Raises `PageRejected` for the visible page."""
    best: Reading | None = None
    refused: PageRejected | None = None
    for arrange_texts, is_wanted in _ways(page, words):
        if best is not None and not is_wanted(best[0]):
            continue
        texts = arrange_texts()
        if texts is None:
            continue
        try:
            reading = _comparison(page, texts), texts
        except PageRejected as rejected:
            refused = refused or rejected
            continue
        if best is None or _score(reading[0]) > _score(best[0]) or _goes_on(best[0], reading[0]):
            best = reading
    if best is None:
        assert refused is not None
        raise refused
    return best


def _score(comparison: Comparison) -> tuple[bool, bool, int]:
    return bool(comparison.decisions), bool(comparison.takes), -len(comparison.doubts)


def _goes_on(visible: Comparison, opened: Comparison) -> bool:
    """Whether all is the same, but some takes go on in hidden parts."""
    pairs = [*zip(visible.takes, opened.takes, strict=False)]
    return (
        len(visible.takes) == len(opened.takes)
        and [card.panel_ship for card in visible.cards] == [card.panel_ship for card in opened.cards]
        and all(
            take.reviewer == opened_take.reviewer and opened_take.text.startswith(take.text.rstrip("…."))
            for take, opened_take in pairs
        )
        and any(take.text != opened_take.text for take, opened_take in pairs)
    )


def _comparison(page: Page, texts: Texts) -> Comparison:
    is_whole = _END.search(page.utf8, max(len(page.utf8) - END_REACH, 0)) or _END.search(page.utf8)
    return read_comparison(texts, is_html=True, is_whole=is_whole is not None)


Reading: TypeAlias = tuple[Comparison, Texts]
Wanted: TypeAlias = Callable[[Comparison], bool]
"""Whether a way may read more of a page than the best one so far."""


def _ways(page: Page, words: PageWords) -> Iterator[tuple[Callable[[], Texts | None], Wanted]]:
    """The page as it is shown, then with each line break, with hidden parts, in a wide window, with names of icons."""

    def lacks_parts(best: Comparison) -> bool:
        return not (best.decisions and best.takes)

    def has_doubts(best: Comparison) -> bool:
        return bool(best.doubts)

    blocks = page.blocks(_WITHOUT_MENUS)
    yield lambda: arrange(blocks, words), lacks_parts
    if any(block.lines for block in blocks):
        yield lambda: arrange(blocks, words, at_breaks=True), lambda _: False
    if page.closed:
        yield lambda: arrange(page.blocks(opens=True), words), lambda _: True
    yield lambda: _without_narrow_copies(blocks, words), lambda _: False
    yield lambda: _with_lazy_parts(page, words), lacks_parts
    yield lambda: _with_icon_labels(page, words), has_doubts


def _without_narrow_copies(blocks: Sequence[Block], words: PageWords) -> Texts | None:
    """The page in a wide window; None if a narrow one shows words that a wide one does not."""
    classes = [[attributes.get("class", "") for _, attributes in block.elements] for block in blocks]
    wide = [block for block, names in zip(blocks, classes, strict=True) if not any(map(_NARROW.search, names))]
    shown_texts = {block.text for block in wide}
    return (
        arrange(wide, words) if len(wide) < len(blocks) and all(block.text in shown_texts for block in blocks) else None
    )


def _with_lazy_parts(page: Page, words: PageWords) -> Texts | None:
    """The page with all that it shows later; None if it has no such parts."""
    text = page.utf8.decode()
    if _LAZY.search(text) is None:
        return None
    text = _SOURCE.sub(lambda match: f"<div>{unescape(match[2])}</div>", text)
    whole = Page(_LAZY.sub(lambda match: f"<{match[1]}div>", text))
    return arrange(whole.blocks(opens=True), words)


def _with_icon_labels(page: Page, words: PageWords) -> Texts | None:
    """The page with its icons replaced by their names, and meters by their values; None if it has none."""
    tree = LexborHTMLParser(page.utf8, scripting=True)
    named = [(node, label) for node in tree.css(_ICONS) if (label := _icon_label(node))]
    for node, label in named:
        plain = tree.create_node("span")
        plain.inner_html = escape(label)
        node.replace_with(plain)
    return arrange(Page(tree.html or "").blocks(), words) if named else None


def _icon_label(node: LexborNode) -> str:
    """The name of an icon, the value of a meter, `88/100`, or the number drawn in a picture."""
    value, most = (
        (node.attributes.get(name) or node.attributes.get(f"aria-value{spoken}") or "").strip()
        for name, spoken in (("value", "now"), ("max", "max"))
    )
    if value and most:
        return f"{value}/{most}"
    drawn = node.text(strip=True) if node.tag == "svg" else ""
    labels = (drawn if drawn.isdecimal() else "", *((node.attributes.get(name) or "").strip() for name in _NAMES))
    return next(filter(None, labels), "")


# The grammar, the same for every format and site.

LABEL_MAX = 80
"""The most characters of a text that may name tool and reviewer: `Builder on Alpha`."""


def read_dump(lines: Sequence[Block], words: PageWords) -> Comparison:
    """The comparison in a text dump. Raises `PageRejected`, see `read_comparison`."""
    return read_comparison(dump_lines(lines, words), is_html=False)


def read_comparison(page: Texts, *, is_html: bool, is_whole: bool = False) -> Comparison:
    """Reads a comparison page with the words of one site. `is_whole`: the page is not cut off.

    Raises `PageRejected` if there is no comparison (`not_a_comparison`), or if a part cannot be trusted. A repeated
    part is read once; the others are its copies.
    """
    anchors = find_anchors(page)
    if is_html and not is_whole and page.words.closing_lines.isdisjoint(page.folded):
        raise PageRejected("truncated", "the page is not closed, and it has no closing line of the site")
    if not anchors.has_copies:
        return _read(page, find_sections(page, anchors), is_html=is_html)
    frame = find_frame(page, anchors)
    part = page.part(frame.kept)
    read = _read(part, find_sections(part, find_anchors(part)), is_html=is_html)
    return replace(read, doubts=tuple(dict.fromkeys((*read.doubts, *copy_doubts(page, read, frame)))))


def _read(page: Texts, sections: Sections, *, is_html: bool) -> Comparison:
    words, title = page.words, sections.title
    is_proven = sections.is_ended or is_html
    takes = sections.takes if is_proven else _cut_dump_takes(page, sections.takes)
    decisions, unread = read_decision(page, sections.decision, title.names)
    cards, of_cards = read_cards(page, sections, decisions)
    votes = panel_votes(decisions, words)
    scorecard = read_scorecard(page, takes, title.names, votes)
    if not is_proven:
        _check_count(scorecard, cards, votes, words)
    # Texts that the page may repeat without new information.
    values = [value for card in cards for value in (card.panel_ship, card.chip) if value is not None]
    read_texts = [title.text, *title.names, words.title_separator, words.decision, words.scorecard, *values]
    heads = (*title.names, *words.name_labels, *words.column_heads)
    left = [*sections.between(), *range(takes.stop, sections.takes.stop)]
    doubts = [
        *of_cards,
        *page.doubt_unread(unread, None, heads, "a row of the Decision table"),
        *scorecard.doubts,
        *(_order_doubts(page, sections) if scorecard.is_labelled else ()),
        *page.doubt_unread(left, None, read_texts, "a part of the page"),
    ]
    is_innertext = scorecard.is_labelled or bool(decisions)
    return Comparison(
        profile=words.profile.name,
        rendering="html" if is_html else "innertext" if is_innertext else "quotes",
        title=title.text,
        canonical_url=None,
        cards=cards,
        decisions=decisions,
        takes=scorecard.takes,
        missing_takes=scorecard.missing_takes,
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _order_doubts(page: Texts, sections: Sections) -> Iterator[Doubt]:
    """A doubt if the takes name no tool, and neither title nor table confirms the order of the cards."""
    title, names = sections.title, sections.title.names
    if title.text.startswith(names[0]):
        return
    texts = [page[index].text for index in sections.takes]
    labels = [text for text in texts if len(text) <= LABEL_MAX and not text.endswith((".", "!", "?"))]
    if names[0] == names[1] or all(any(name in label for label in labels) for name in names):
        return
    in_table = dict.fromkeys(page[index].text for index in sections.decision or () if page[index].text in names)
    if tuple(in_table) != names:
        yield Doubt("copies_differ", None, f"title {title.text}", f"cards {' / '.join(names)}")


# A text dump without the site's closing lines: the count of its takes must prove where they end.


def _cut_dump_takes(page: Texts, section: range) -> range:
    """The takes up to the last one, which must be whole: in quotation marks, or on a line before another one.

    Raises `PageRejected` (`truncated`) if it may be cut off.
    """
    openings = [index for index in section if opens_take(page, index)]
    end = _end(page, openings, section) if openings else None
    if end is None or end >= section.stop:
        raise PageRejected("truncated", "the dump stops inside the scorecard: no closing line of the site follows")
    return range(section.start, end)


def _end(page: Texts, openings: Sequence[int], section: range) -> int | None:
    last = openings[-1]
    marks = page.words.profile.page.quotation_marks
    closings = {closing for opening, closing in marks if page[last].text[0] == opening}
    if closings:
        closed = (index for index in range(last, section.stop) if page[index].text[-1:] in closings)
        return next((index + 1 for index in closed), None)
    # `88/100 · ship`, the take, the next reviewer: if a take has one more line, the last one may have it, too.
    if any(following - opening > 3 for opening, following in pairwise(openings)):
        return None
    return last + 1 if page.folded[last] == page.words.no_take else last + 2


def _check_count(scorecard: Scorecard, cards: Sequence[Card], votes: PanelVotes, words: PageWords) -> None:
    """Raises `PageRejected` (`incomplete_scorecard`) if votes or percentages contradict the number of takes."""
    sizes = [
        _sizes(card.panel_ship, words) if count is None else frozenset({sum(count)})
        for card, count in zip(cards, votes, strict=True)
    ]
    counts = tuple(sum(take.side == side for take in scorecard.takes) for side in SIDES)
    total = len(scorecard.takes)
    possible = {*product(*sizes)}
    if not (counts in possible if scorecard.is_labelled else total in map(sum, possible)):
        raise PageRejected("incomplete_scorecard", f"no panel of these votes and percentages gives {total} takes")


def _sizes(panel_ship: str | None, words: PageWords) -> frozenset[int]:
    percent = None if panel_ship is None else PERCENT.fullmatch(panel_ship)
    pct = None if percent is None else int(float(percent[1]))
    return sizes_with_pct(pct, words.profile.scorecard.panel_size_max)
