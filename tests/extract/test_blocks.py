"""What a page says, whatever its markup: the reading of Lexbor's writing agrees with an obvious walk over its tree."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, LexborNode

from builders.paths import PAGES
from builders.renderings import RENDERERS
from verdicts.demo_site.site_facts import load_facts
from verdicts.extract.html.elements import (
    CELLS,
    CONTROL_ROLE,
    CONTROLS,
    GLUED,
    KEYS,
    PHRASING,
    PROSE,
    UNSEEN,
    VOID,
)
from verdicts.extract.html.html_blocks import PATH_MAX
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import Block, clean

NOT_SEEN = ", ".join(
    [
        *(*UNSEEN, "[hidden]", "[style*='display:none']", "[style*='line-through']", "[role=tooltip]", ".tooltiptext"),
        *(".sr-only", ".visually-hidden", ".headerlink", "a[aria-hidden=true][href^='#']"),
    ]
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BREAK = "\x00"


def obvious_blocks(html: str) -> list[Block]:
    """Without cells, and with whole paths."""
    tree = LexborHTMLParser(html, scripting=True)
    for node in tree.css(NOT_SEEN):
        if node.tag not in {"html", "body"}:
            node.decompose()
    return [] if tree.body is None else _blocks(tree.body, Block(""))


def _blocks(node: LexborNode, around: Block) -> list[Block]:
    """Of an element that breaks a line; `around` holds what its texts inherit, and the path up to it."""
    tag, children = node.tag, _children(node)
    chain = _to_one_text(_beside_pictures(children) if tag == "p" else children)
    like = Block(
        text="",
        level=HEADINGS.index(tag) + 1 if tag in HEADINGS else around.level,
        href=_link(node, around.href),
        path=around.path,
        is_key=around.is_key or tag in KEYS,
        is_inline=tag in PHRASING,
        is_control=around.is_control or _is_control(node) or any(map(_is_control, chain or ())),
        is_strong=any(element.tag in {"b", "strong"} for element in chain or ()),
    )
    splits = chain is None and _splits_inline(tag, children)
    blocks: list[Block] = []
    run: list[tuple[str, str | None]] = []

    def end() -> None:
        if text := _text(run):
            href = next((href for text, href in run if href and text.strip()), None)
            blocks.append(_with(like, text, href, like.path, _breaks(run)))
        run.clear()

    def read(children: list[LexborNode | str], href: str | None, is_own: bool) -> None:
        for child in children:
            if isinstance(child, str):
                run.append((child, href))
            elif child.tag == "br":
                run.append((BREAK, None))
            elif child.tag in PHRASING and not (splits and is_own):
                read(_children(child), _link(child, href), False)
            else:
                end()
                blocks.extend(_blocks(child, _with(like, "", href, (*like.path, node.mem_id))))

    read(children, like.href, True)
    end()
    return blocks if blocks or tag not in CELLS else [_with(like, "", None, like.path)]


def _with(like: Block, text: str, href: str | None, path: tuple[int, ...], breaks: tuple[str, ...] = ()) -> Block:
    return Block(
        text, like.level, href, path, (), None, like.is_key, like.is_inline, like.is_control, like.is_strong, breaks
    )


def _children(node: LexborNode) -> list[LexborNode | str]:
    """Elements, and texts as long as they go."""
    children: list[LexborNode | str] = []
    for child in node.iter(include_text=True):
        if child.is_text_node and children and isinstance(children[-1], str):
            children[-1] += child.text_content
        elif child.is_text_node or child.is_element_node:
            children.append(child.text_content if child.is_text_node else child)
    return children


def _to_one_text(children: list[LexborNode | str]) -> list[LexborNode] | None:
    """The inline elements around the one text that an element holds, or None."""
    chain: list[LexborNode] = []
    while len(children) == 1:
        if isinstance(children[0], str):
            return chain
        if children[0].tag not in PHRASING:
            return None
        chain.append(children[0])
        children = _beside_pictures(_children(children[0]))
    return None


def _beside_pictures(children: list[LexborNode | str]) -> list[LexborNode | str]:
    if len(children) < 2:
        return children
    return [one for one in children if (one.strip() if isinstance(one, str) else one.tag not in VOID)]


def _splits_inline(tag: str, children: list[LexborNode | str]) -> bool:
    if tag in PHRASING or any(isinstance(child, str) and child.strip() for child in children):
        return False
    inline = sum(not isinstance(child, str) and child.tag in PHRASING for child in children)
    return tag not in PROSE or (tag in GLUED and inline > 1)


def _is_control(node: LexborNode) -> bool:
    return node.tag in CONTROLS or node.attributes.get("role") == CONTROL_ROLE


def _link(node: LexborNode, around: str | None) -> str | None:
    return node.attributes.get("href") or None if node.tag == "a" else around


def _lines(run: list[tuple[str, str | None]]) -> list[str]:
    return [line for line in map(clean, "".join(text for text, _ in run).split(BREAK)) if line]


def _text(run: list[tuple[str, str | None]]) -> str:
    return " ".join(_lines(run))


def _breaks(run: list[tuple[str, str | None]]) -> tuple[str, ...]:
    return tuple(_lines(run)) if len(_lines(run)) > 1 else ()


TAGS = (
    *("p", "div", "span", "a", "b", "li", "ul", "td", "th", "tr", "table", "tbody", "caption", "h2", "dl", "dt", "dd"),
    *("section", "button", "summary", "sub", "del", "svg", "br", "img", "hr", "i", "em", "header", "select", "option"),
    *("option", "form", "label", "input", "noscript", "iframe", "script", "wbr", "pre", "foo-bar", "div<b", "p&quot;"),
)
ATTRIBUTES = (
    *("", "", "", " href=/x", " href", " hidden", " role=button", " class='a tooltiptext'", " style='display:none'"),
    *(" title='a>b<c\" href='", ' a"b=1', " =c", " <!--", " data-x=\"<p>' href='/no'\""),
)
TEXTS = ("x", "75%", "two  words", " ", "\n", "a &amp; b", "&amp;lt;", "<", "a < b", "&nbsp;", "</", "&quot;", "\u00ad")
NO_ELEMENTS = (
    "<!-- a > b -->",
    "<!---->",
    "<!-->",
    "<!-- <p> -- -->",
    "<?php a ?>",
    "<![CDATA[x]]>",
    "</ x>",
    "<!x-->",
)

pieces = st.one_of(
    st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(TEXTS),
    st.sampled_from(NO_ELEMENTS),
)


def read(html: str) -> list[Block]:
    return list(Page(html).blocks())


def comparable(blocks: list[Block]) -> list[Block]:
    """With elements numbered as they appear, as only equal numbers mean something. Cells have tests of their own."""
    numbers: dict[int, int] = {}
    paths = [tuple(numbers.setdefault(number, len(numbers)) for number in block.path) for block in blocks]
    return [replace(block, elements=(), cell=None, path=path) for block, path in zip(blocks, paths, strict=True)]


@settings(max_examples=600)
@given(st.lists(pieces, max_size=30).map("".join))
@example("<div <b='1' x>q<!-- r --></div>")
@example("<p> <b>x")
@example("<p>Panel ship: <!-- -->75%<!-- --></p>")
@example("<div><svg><title>icon</title></svg><span>75%</span></div>")
@example("<body hidden>x")
@example("<frameset><frame></frameset>")
@example("<p>a<xmp><b>as written</b> &amp;</xmp><plaintext><p>to the end</p></plaintext>")
def test_any_markup_is_read_as_its_tree_says(html):
    assert comparable(read(html)) == comparable(obvious_blocks(html))


@pytest.mark.parametrize("render", [name for name in RENDERERS if name.startswith("html")])
def test_the_demo_pages_are_read_as_their_trees_say(render):
    facts = load_facts()
    for pair in facts.pairs[:10]:
        page = RENDERERS[render](facts, pair)
        assert comparable(read(page)) == comparable(obvious_blocks(page))


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.html")), ids=lambda path: path.stem)
def test_pages_of_other_sites_are_read_as_their_trees_say(path):
    page = path.read_text(encoding="utf-8")
    assert comparable(read(page)) == comparable(obvious_blocks(page))


def test_a_comment_and_an_icon_leave_no_trace():
    plain = "<div><span>75%</span></div><li><b>Panel</b></li>"
    marked = "<div><svg><title>up</title></svg><span>7<!-- -->5%</span></div><li><b>Panel</b><i hidden>x</i></li>"
    assert read(marked) == read(plain)


def test_what_is_written_as_text_is_no_markup():
    assert [block.text for block in read("<p>1 &lt; 2 &amp;lt; <b>3</b></p><xmp><p>4</p></xmp>")] == [
        "1 < 2 &lt; 3",
        "<p>4</p>",
    ]


def test_an_attribute_in_the_value_of_another_is_not_read():
    (block,) = read("<a title=' href=' rel='x' href='/tools/a?b=1&amp;c=2'>Alpha</a>")
    assert block.href == "/tools/a?b=1&c=2"


def test_nesting_beyond_reason_costs_a_path_of_its_length_at_most():
    (block,) = read("<div>" * 5_000 + "<p>deep</p>")
    assert (block.text, len(block.path)) == ("deep", PATH_MAX)


@pytest.mark.parametrize("hidden", ["hidden", 'style="visibility: hidden"', "role=tooltip"])
@pytest.mark.parametrize("tag", ["html", "body"])
def test_a_page_that_a_script_shows_when_it_is_whole_is_read(hidden, tag):
    assert [block.text for block in Page(f"<{tag} {hidden}><p>Alpha costs $9").blocks()] == ["Alpha costs $9"]


def texts(html: str) -> list[str]:
    return [block.text for block in read(html)]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Pricing<sup>1</sup>", "Pricing"),
        ("Pricing<sup>1, 2</sup> in full", "Pricing in full"),
        ("<b>Pricing</b><sup>1</sup>", "Pricing"),
        ("GPT-4o<sup>3</sup>", "GPT-4o"),
        ("99.9%<sup>2</sup> up", "99.9% up"),
        ("Free (beta)<sup>2</sup>", "Free (beta)"),
        ("$20<sup>[1]</sup> a month", "$20 a month"),
        ("$20<sup>*</sup>", "$20"),
        ("$20<sup>†</sup><sup>‡</sup>", "$20"),
        ('$20<sup id="r1"><a href="#note-1">1</a></sup>', "$20"),
        ('Free<sup><span>[<a href="#note-1">1</a>]</span></sup>', "Free"),
        # Digits behind a digit stay raised, but one behind a price is a mark.
        ("$20<sup>1</sup>", "$20"),
        ("<b>$20</b><sup>1</sup>/mo", "$20/mo"),
        ("10<sup>12</sup> tokens", "10¹² tokens"),
        ("$20<sup>1,2</sup>", "$20¹,²"),
        # Any other superscript is text.
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("O(n<sup>2</sup>)", "O(n2)"),
        ("Alpha<sup>TM</sup>", "AlphaTM"),
        ("$20 <sup>1</sup>", "$20 1"),
        ("20<br><sup>1</sup> excludes VAT", "20 1 excludes VAT"),
    ],
)
def test_a_footnote_mark_is_dropped_and_what_is_none_is_kept(html, text):
    assert texts(f"<p>{html}</p>") == [text]


def test_what_stands_in_another_block_is_not_directly_before():
    assert texts("<p>$20</p><p><sup>1</sup> excludes VAT</p>") == ["$20", "1 excludes VAT"]


def test_units_side_by_side_keep_their_price_whole():
    assert texts("<div><span>$20</span><sup>1</sup></div><div><span>Pricing</span><sup>1</sup></div>") == [
        "$20",
        "Pricing",
    ]


def test_marks_by_the_thousand_take_no_time_worth_naming():
    assert texts(f"<p>{'Free<sup>1</sup> ' * 20_000}</p>") == [" ".join(["Free"] * 20_000)]
    assert len(texts("<p>" + "<sup>" * 3_000 + "1</p>")) == 1
