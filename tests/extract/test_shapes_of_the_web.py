"""Shapes of pages on the open web: which headings and cells name what is compared, and which pages compare nothing."""

import subprocess
import sys

import pytest

from builders.paths import ROOT
from builders.snapshots import article, list_doubts, make_table
from verdicts.extract.generic.web_page import WebPage
from verdicts.extract.html.html_page import Page

WORDS = (
    "We kept it for a spring and wrote down each morning what it did, and what it did not do, until the book was full."
)
NAMES = ("Mooringtime", "Slackwater Duo", "Ebbanflow", "Neap")


def write_body(name):
    return f"<p>{WORDS} In the end {name} stayed.</p>"


def list_names(page):
    compared = page.side_by_side
    return None if compared is None or compared.claim != "compares" else [tool.name for tool in compared.tools]


def sections(headings, level=3, more=""):
    return "".join(
        f"<h{level}>{heading}</h{level}>{write_body(name)}{more}" for heading, name in zip(headings, NAMES, strict=True)
    )


UNNUMBERED = sections(NAMES, level=2, more="<h3>Key specs</h3><ul><li>Case: brass</li><li>Dial: 90 mm</li></ul>")
SPEC_HEADINGS = sections(
    [f"{place}. {name}" for place, name in enumerate(NAMES, start=1)],
    more="<h3>Key specs</h3><ul><li>Price: $9</li></ul>",
)
LINES = "".join(
    f"<p>Best {kind}</p><p>{name}</p>{write_body(name)}<h4>Pros</h4><p>Loud</p><h4>Cons</h4><p>Wet</p>"
    for kind, name in zip(("harbour clock", "budget clock", "kitchen clock", "clock of all"), NAMES, strict=True)
)
ADVERT = f"<div><div><h2>Get your own tide table</h2><p>{WORDS}</p></div></div>"
TEASERS = "".join(
    f'<h3><a href="/read/{place}">{title}</a></h3><p>14 May</p>'
    for place, title in enumerate(("The best ropes of the year", "Kelp vs wrack", "10 knots for the dark"))
)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("The best tide clocks of 2026", UNNUMBERED),
        ("The best tide clocks of 2026", UNNUMBERED + "<h2>How we tested</h2><p>With a lead line.</p>"),
        ("The best tide clocks of 2026", UNNUMBERED.replace("<h2>Neap", ADVERT + "<h2>Neap")),
        ("The best tide clocks of 2026", UNNUMBERED + TEASERS),
        ("The best tide clocks of 2026", LINES),
        ("Top 4 tide clocks", SPEC_HEADINGS),
        ("Top 4 tide clocks", SPEC_HEADINGS + "<h3>: how we tested</h3><p>With a lead line.</p>"),
        ("4 tide clocks compared", SPEC_HEADINGS),
        ("Best tide clocks", sections([f"Best for {place}: {name}" for place, name in enumerate(NAMES)], level=2)),
        ("Best tide clocks", sections([f"{name} – best value" for name in NAMES], level=2)),
    ],
    ids=["unnumbered", "a closing section", "an advert between", "teasers", "lines", "specs as headings", "a colon",
         "compared", "praise before", "praise behind"],
)  # fmt: skip
def test_the_headings_that_name_what_is_compared_are_found(title, body):
    assert list_names(article(body, title)) == [*NAMES]


def test_a_section_goes_on_over_headings_that_all_sections_have():
    page = article(SPEC_HEADINGS, "Top 4 tide clocks")
    assert [(tool.price, tool.rank) for tool in page.side_by_side.tools] == [("$9", rank) for rank in range(1, 5)]
    page = article(UNNUMBERED, "The best tide clocks")
    rows = {row.attribute: row.values for row in page.side_by_side.rows}
    assert rows == {"Case": ("brass",) * 4, "Dial": ("90 mm",) * 4}


@pytest.mark.parametrize(
    "title", ["4 tips for a dry boat", "Top 4 boat trends", "4 best practices", "The best way to dry"]
)
def test_advice_promises_no_tools(title):
    steps = sections([f"{place}. Look at the plug {place}" for place in range(4)])
    page = article(steps, title)
    assert (list_names(page), list_doubts(page)) == (None, [])


@pytest.mark.parametrize(
    "body",
    [
        "<p>Nobody has found one yet, and we looked for a year.</p>",
        *(
            "<ul>" + "".join(f"<li><a href=/{name}>{name}</a><span>{said}</span></li>" for name in NAMES) + "</ul>"
            for said in ("14 May", "<i>$12.10</i> <i>+0.45</i> <i>(+3.2%)</i>")
        ),
        "".join(
            f"<h3>{name} model</h3>{write_body(f'{name} model')}" for name in ("Waterfall", "Spiral", "Agile", "V")
        ),
    ],
    ids=["prose", "teasers", "stocks", "ideas"],
)
def test_a_promise_that_gives_no_tools_is_told(body):
    page = article(body, "The best office chairs")
    assert list_names(page) is None
    assert [rule for rule, _ in list_doubts(page)] == ["list_not_read"]


@pytest.mark.parametrize(
    ("title", "rows"),
    [
        ("Rovers vs United", (("", "Rovers", "United"), ("Goals", "2", "1"), ("Possession", "54%", "46%"))),
        ("Ash vs Reed", (("", "Ash", "Reed"), ("Age", "28", "31"), ("Reach", "76 in", "74 in"), ("Wins", "21", "30"))),
        ("Affect vs effect", (("", "Affect", "Effect"), ("Part of speech", "verb", "noun"), ("Example", "A", "B"))),
        ("Cold vs flu", (("Symptom", "Cold", "Flu"), ("Fever", "Rare", "Common"), ("Onset", "Slow", "Sudden"))),
        ("Acme vs Globex", (("", "Acme", "Globex"), ("Price", "$12", "$43"), ("Volume", "2", "9"), ("EPS", "2", "1"))),
        ("Lisbon vs Porto", (("", "Lisbon", "Porto"), ("Population", "545,000", "232,000"), ("Metro lines", "4", "6"))),
    ],
)  # fmt: skip
def test_what_stands_side_by_side_and_is_no_product_is_claimed_by_nobody_and_told(title, rows):
    page = article(make_table(*rows), title)
    assert page.side_by_side is None
    assert list_doubts(page) != []


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Compare Larkspur vs Fennel", ["Larkspur", "Fennel"]),
        ("The Big Larkspur Vs Fennel Comparison 2026", ["Larkspur", "Fennel"]),
        ("Choosing a notebook: Larkspur vs. Fennel | The desk", ["Larkspur", "Fennel"]),
        ("Larkspur vs Fennel: which is better?", ["Larkspur", "Fennel"]),
        ("Larkspur vs Fennel in a small studio", ["Larkspur", "Fennel"]),
        ("Larkspur vs Fennel Notes", ["Larkspur", "Fennel Notes"]),
    ],
)
def test_words_around_the_names_of_a_title_are_no_part_of_them(title, names):
    rows = (("", "Larkspur", "Fennel"), ("Price", "$9", "$12"), ("Free plan", "yes", "no"))
    assert list_names(article(make_table(*rows), title)) == names


def test_what_a_heading_has_in_brackets_is_no_part_of_a_name_that_a_table_has_alone():
    headings = [f"{name} ({on})" for name, on in zip(NAMES, ("Web, iOS", "Web", "Mac", "iOS"), strict=True)]
    listed = sections(headings, more="<h4>Pros</h4><p>Loud</p><h4>Cons</h4><p>Wet</p>")
    table = make_table(("", "Case"), *((name, "brass") for name in NAMES))
    assert list_names(article(table + listed, "The best tide clocks of 2026")) == [*NAMES]


def test_words_that_a_style_sheet_hides_or_strikes_are_no_part_of_a_value():
    styles = ".was { text-decoration: line-through } td .note { display: none } @media print { .now { display: none } }"
    rows = (
        ("", "Larkspur", "Fennel"),
        ("Price", '<i class="was">$19</i> <b class="now">$9</b>', '$12<i class="note">$120 next year</i>'),
        ("Free plan", "yes", "no"),
    )
    page = article(f"<style>{styles}</style>{make_table(*rows)}", "Larkspur vs Fennel")
    assert [tool.price for tool in page.side_by_side.tools] == ["$9", "$12"]


def test_a_page_is_as_it_was_when_it_has_been_read_as_one_of_any_site():
    style = "<style>.was { display: none }</style>"
    page = Page(f'{style}<p>$13<span class="was">$31</span></p><p aria-label="4.5 out of 5"></p>')
    before = page.tree.html
    assert [block.text for block in WebPage(page).blocks] == ["$13", "4.5 out of 5"]
    assert page.tree.html == before


def test_words_that_are_shown_from_their_end_are_read_as_they_are_shown():
    rows = (("", "Larkspur", "Fennel"), ("Price", "\u202e51$\u202c", "$12"), ("Free plan", "yes", "no"))
    page = article(make_table(*rows), "Larkspur vs Fennel")
    assert [tool.price for tool in page.side_by_side.tools] == ["$15", "$12"]


def test_quoted_words_and_comments_of_readers_say_nothing_of_a_tool():
    headings = [f"{place}. {name}" for place, name in enumerate(NAMES, start=1)]
    listed = sections(headings, more="<p>Price: $9</p><blockquote><p>Price: $99</p></blockquote>")
    page = article(f'{listed}<div class="comment-list"><p>Price: $1000</p></div>', "Top 4 tide clocks")
    assert {tool.price for tool in page.side_by_side.tools} == {"$9"}


def test_a_teaser_of_another_comparison_gives_the_page_no_names():
    rows = (("Tool", "Price"), *((name, "$9") for name in NAMES))
    assert list_names(article(make_table(*rows) + "<h2>Kelp vs wrack</h2><p>A walk.</p>", "Tide clocks compared")) == [
        *NAMES
    ]


SHOPS = (
    ("Company", "City"),
    *((name, place) for name, place in zip(NAMES, ("Leith", "Oban", "Cork", "Brest"), strict=True)),
)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Top 4 clockmakers", make_table(*SHOPS)),
        ("Top 4 clockmakers", make_table(*SHOPS, ("Total", "4"))),
        ("Clocks compared", make_table(*SHOPS) + make_table(("Maker", "Since"), *((name, "1900") for name in NAMES))),
    ],
    ids=["as many as the title says", "a line that sums up", "the same names in two tables"],
)  # fmt: skip
def test_the_lines_that_name_what_a_table_compares_are_found(title, body):
    assert list_names(article(body, title)) == [*NAMES]


def test_heads_may_shorten_names_or_add_a_badge_if_most_do():
    heads = (
        "",
        "Mooringtime best overall clock",
        "Slackwater Duo our cheap choice",
        "Ebbanflow quietest of them",
        "Neap for small shelves",
    )
    page = article(UNNUMBERED + make_table(heads, ("Weight", "1 kg", "2 kg", "3 kg", "4 kg")), "The best tide clocks")
    rows = {row.attribute: row.values for row in page.side_by_side.rows}
    assert rows["Weight"] == ("1 kg", "2 kg", "3 kg", "4 kg")
    page = article(
        UNNUMBERED + make_table(("", *NAMES[:3], "Neap Deluxe"), ("Weight", "1 kg", "2 kg", "3 kg", "4 kg")),
        "The best tide clocks",
    )
    rows = {row.attribute: row.values for row in page.side_by_side.rows}
    assert rows["Weight"] == ("1 kg", "2 kg", "3 kg", None)


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("<p>Price (USD/month): 9</p>", "price", "9"),
        ("<p>Price per seat: $9</p>", "price", "$9"),
        ("<p>Reader rating: 4.5/5</p>", "rating", "4.5/5"),
        ("<p>Note: it ticks</p>", "rating", None),
        ("<p>IP rating: IPX5</p>", "rating", None),
        ("<p><a href='/go'>$58 at Chandlers</a></p>", "price", "$58 at Chandlers"),
        ("<p>4.8/5.0</p>", "rating", "4.8/5.0"),
        ("<p>★★★★☆</p>", "rating", "★★★★☆"),
        ("<p>★★★★☆</p><p>4.2/5</p>", "rating", "4.2/5"),
        ("<div><span>★</span><span>★</span><span>★</span><span>★</span><span>☆</span></div>", "rating", "★★★★☆"),
        ("<p>Case: brass | Price: $9 | Dial: 90 mm</p>", "price", "$9"),
        ("<div><p>$9</p><div>Price</div></div>", "price", "$9"),
        ("<div><p>$9</p><div>a month</div></div>", "price", "$9 a month"),
        ("<div><span>$</span><span>12</span><span>50</span><span>/mo</span></div>", "price", "$12.50/mo"),
        ("<div><button>Reviews</button><button>Price</button></div><p>It ticks</p>", "price", None),
        (
            "<div><a href='/go'>Now $58 at Chandlers</a><a href='/to'>See it at Ropes</a></div>",
            "price",
            "Now $58 at Chandlers",
        ),
    ],
)
def test_labels_with_units_and_values_at_shops_are_read(said, field, value):
    page = article(UNNUMBERED.replace("<h3>Key specs</h3>", f"{said}<h3>Key specs</h3>"), "The best tide clocks")
    assert {getattr(tool, field) for tool in page.side_by_side.tools} == {value}


@pytest.mark.parametrize(
    "said", ["<p>$58 at Chandlers</p><p>$61 at Ropes</p>", "<div><a>$58 at Chandlers</a><a>$61 at Ropes</a></div>"]
)
def test_prices_at_two_shops_that_differ_are_no_price_and_told(said):
    page = article(UNNUMBERED.replace("<h3>Key specs</h3>", f"{said}<h3>Key specs</h3>"), "The best tide clocks")
    assert {tool.price for tool in page.side_by_side.tools} == {None}
    assert {rule for rule, _ in list_doubts(page)} == {"left_over"}


def test_numbers_over_headings_are_their_ranks_if_they_count_them_through():
    def over(*numbers):
        body = UNNUMBERED
        for number, name in zip(numbers, NAMES, strict=True):
            body = body.replace(f"<h2>{name}", f"<p>#{number}</p><h2>{name}")
        return [tool.rank for tool in article(body, "The best tide clocks").side_by_side.tools]

    assert over(1, 2, 3, 4) == [1, 2, 3, 4]
    assert over(1, 2, 4, 7) == [None] * 4


def test_prices_that_only_sentences_have_are_told():
    page = article(UNNUMBERED.replace("In the end Neap", "It cost $40. In the end Neap"), "The best tide clocks")
    assert list_doubts(page) == [("left_over", "prices within sentences, in 1 sections, such as that of 'Neap'")]


def test_a_list_of_awards_beside_the_sections_is_told():
    lines = "".join(f"<p>Best for {kind}: Tool</p>" for kind in ("halls", "boats", "bars"))
    page = article(f"{lines}{UNNUMBERED}", "The best tide clocks")
    assert list_doubts(page) == [("left_over", "'Best for halls: Tool', and 2 more")]


def test_labelled_pages_are_judged_by_their_names_and_values():
    call = (sys.executable, "-m", "benchmarks.real_pages", "--pages", "fixtures/labelled_pages")
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "| names | 6 | 0 | 0 | 0 | 0 | 2 |\n| values | 45 | 0 | 0 | 0 | 0 | 0 |" in done.stdout
