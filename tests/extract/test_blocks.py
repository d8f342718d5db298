"""What a page says, whatever its markup: the reading of Lexbor's writing agrees with an obvious walk over its tree."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from builders.obvious_blocks import obvious_blocks
from builders.paths import PAGES
from builders.renderings import RENDERERS
from verdicts.demo_site.facts import load_facts
from verdicts.extract.html.html_blocks import PATH_MAX, html_blocks
from verdicts.extract.model.blocks import Block

TAGS = (
    *("p", "div", "span", "a", "b", "li", "ul", "td", "th", "tr", "table", "tbody", "caption", "h2", "dl", "dt", "dd"),
    *(
        "section",
        "button",
        "summary",
        "sub",
        "del",
        "svg",
        "br",
        "img",
        "hr",
        "i",
        "em",
        "header",
        "select",
        "option",
    ),
    *("option", "form", "label", "input", "noscript", "iframe", "script", "wbr", "pre", "foo-bar", "div<b", "p&quot;"),
)
ATTRIBUTES = (
    *("", "", "", " href=/x", " href", " hidden", " role=button", " class='a tooltip'", " style='display:none'"),
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
    return list(html_blocks(LexborHTMLParser(html, scripting=True)))


def comparable(blocks: list[Block]) -> list[Block]:
    """With elements numbered as they appear, as only equal numbers mean something. Cells have tests of their own."""
    numbers: dict[int, int] = {}
    return [
        replace(block, cell=None, path=tuple(numbers.setdefault(number, len(numbers)) for number in block.path))
        for block in blocks
    ]


@settings(max_examples=600)
@given(st.lists(pieces, max_size=30).map("".join))
@example("<div <b='1' x>q<!-- r --></div>")
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
def test_a_page_that_a_script_shows_when_it_is_whole_is_read(hidden):
    assert [block.text for block in html_blocks(LexborHTMLParser(f"<html {hidden}><p>Alpha costs $9"))] == [
        "Alpha costs $9"
    ]
