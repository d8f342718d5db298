"""What a recipe reads of a page, and what it tells where the page is not as the recipe says."""

import pytest

from builders.read_documents import ComparedTool, ReadComparison, ReadDocument, as_read
from builders.snapshots import html
from verdicts.extract.model.records import Document, OutsideReview
from verdicts.extract.page import extract
from verdicts.extract.recipes.recipe import BrokenRecipe, parse_recipe

URL = "https://shelf.example/picks"

CARDS = """
path = "/"
[tools]
css = "div.card"
count = 2
[tools.fields]
name = { css = "b" }
price = { label = ["Price", "From"] }
url = { css = "a", attribute = "href" }
[tools.rows]
Seats = { label = "Seats" }
Good = { css = "li" }
"""

CARD_PAGE = """<title>Our shelf</title><p>We keep these two tools on our shelf and look at them once a year.</p>
<div class=card><b>Larkpad</b> <a href="/go/larkpad">open</a><div><span>Price</span><span>$9</span></div>
  <div><span>Seats</span><span>5</span></div><ul><li>Quick to learn<li>Calm</ul></div>
<div class=card><b>Finchnote</b><p>From: $12 a month</p><div><span>Seats</span><span>no limit</span></div>
  <ul><li>Works offline</ul></div>"""


def read(page: str, recipe: str, url: str = URL) -> ReadDocument:
    document = extract(html(page, url), recipes={"shelf.example": parse_recipe("shelf.example", recipe, "a.toml")})
    assert isinstance(document, Document)
    return as_read(document)


def compare(page: str, recipe: str) -> ReadComparison:
    document = read(page, recipe)
    assert document.side_by_side is not None, document.doubts
    return document.side_by_side


def rules(page: str, recipe: str) -> list[str]:
    return [doubt.rule for doubt in read(page, recipe).doubts]


def test_cards_are_read_where_the_recipe_says():
    found = compare(CARD_PAGE, CARDS)
    assert (found.reader, found.claim) == ("recipe", "compares")
    assert found.tools == (
        ComparedTool("Larkpad", url="/go/larkpad", price="$9"),
        ComparedTool("Finchnote", price="$12 a month"),
    )
    assert [(row.attribute, row.values) for row in found.rows] == [
        ("Seats", ("5", "no limit")),
        ("Good", ("Quick to learn", "Works offline")),
        ("Good", ("Calm", None)),
    ]
    assert rules(CARD_PAGE, CARDS) == []


def change(old: str, new: str) -> str:
    assert old in CARD_PAGE
    return CARD_PAGE.replace(old, new)


LARKPAD, FINCHNOTE = ("Larkpad", "$9"), ("Finchnote", "$12 a month")
PRICE = "<div><span>Price</span><span>$9</span></div>"
NO_PRICE = [("Larkpad", None), FINCHNOTE]


@pytest.mark.parametrize(
    ("page", "told", "tools"),
    [
        (change("<p>From: $12 a month</p>", ""), [], [LARKPAD, ("Finchnote", None)]),
        # A label without a value takes none from its neighbour.
        (change(PRICE, "<div><span>Price</span></div><div><i>Size</i><i>5</i></div>"), ["unfilled"], NO_PRICE),
        (change("<span>$9</span>", "<span></span></div><div><i>Size</i><i>5</i>"), ["unfilled"], NO_PRICE),
        (change(PRICE, "<p>Price</p><p>From</p>"), ["unfilled"], NO_PRICE),
        (change(PRICE, "<dl><dt>Price</dt><dt>Size</dt><dd>5</dd></dl>"), ["unfilled"], NO_PRICE),
        # Two values of one field.
        (change("<b>Larkpad</b>", "<b>Larkpad</b><p>Price: $11</p>"), ["ambiguous"], NO_PRICE),
        # Another number of records, copies for another width, and copies that differ.
        (CARD_PAGE + "<div class=card><b>Wrenlist</b></div>", ["count"], [LARKPAD, FINCHNOTE, ("Wrenlist", None)]),
        (CARD_PAGE + CARD_PAGE, [], [LARKPAD, FINCHNOTE]),
        (CARD_PAGE + change("$9", "$8"), ["count", "ambiguous"], None),
        # A record without a name, no record at all, a field that no record has.
        (change("<b>Larkpad</b>", ""), ["unfilled"], [FINCHNOTE]),
        (change("class=card", "class=tile"), ["no_record"], []),
        (change("<li>", "<dd>"), ["unfilled"], [LARKPAD, FINCHNOTE]),
        # What is hidden.
        (change("<b>Larkpad</b>", "<b>Larkpad</b><p style='display:none'>Price: $1</p>"), [], [LARKPAD, FINCHNOTE]),
        (change("<b>Larkpad</b>", "<b>Larkpad</b><b hidden>Old Lark</b>"), [], [LARKPAD, FINCHNOTE]),
        (CARD_PAGE + "<div class=card hidden><b>{{name}}</b></div>", [], [LARKPAD, FINCHNOTE]),
    ],
)
def test_what_is_not_as_the_recipe_says_is_told_and_not_guessed(page, told, tools):
    assert rules(page, CARDS) == [f"recipe_{rule}" for rule in told]
    found = read(page, CARDS).side_by_side
    assert tools is None or [(tool.name, tool.price) for tool in (found.tools if found else ())] == tools


def test_a_page_of_another_host_or_path_is_not_read_by_it():
    assert read(CARD_PAGE, CARDS, "https://other.example/picks").side_by_side is None
    below = CARDS.replace('path = "/"', 'path = "/reviews/"')
    assert read(CARD_PAGE, below).side_by_side is None
    assert read(CARD_PAGE, below).doubts == ()


LISTED = """<title>Larkpad vs Finchnote</title><h1>Larkpad vs Finchnote</h1>
<table><tr><th></th><th>Larkpad</th><th>Finchnote</th></tr><tr><td>Price</td><td>$9</td><td>$12</td></tr>
<tr><td>Seats</td><td>5</td><td>7</td></tr></table>"""


def test_the_generic_reader_goes_first_unless_the_recipe_says_always():
    both = LISTED + CARD_PAGE
    assert compare(both, CARDS).reader == "table"
    assert compare(both, "always = true\n" + CARDS).reader == "recipe"


SECTIONS = """
[tools]
heading = 2
[tools.fields]
price = { label = "Costs" }
"""


def test_sections_are_records():
    page = """<title>Our shelf</title><h1>Our shelf</h1><p>Price: not here</p>
    <h2>1. Larkpad</h2><p>A pad.</p><p>Costs: $9</p><h3>In short</h3><p>Fine.</p>
    <h2>2. Finchnote</h2><p>Costs: $12</p>
    <h2>In the end</h2><p>Take either.</p><h1>Others</h1><p>Costs: $99</p>"""
    assert compare(page, "always = true" + SECTIONS).tools == (
        ComparedTool("Larkpad", price="$9", rank=1),
        ComparedTool("Finchnote", price="$12", rank=2),
    )


def test_sections_with_nothing_of_what_is_asked_for_are_no_records():
    assert rules("<h2>Larkpad</h2><p>A pad for the office.</p><h2>In the end</h2><p>Take it.</p>", SECTIONS) == [
        "recipe_no_record"
    ]


TABLE = """
[tools]
table = "Monthly"
names_in = "rows"
[tools.fields]
price = { label = "Monthly" }
"""

TABLE_PAGE = """<title>What we pay for</title><p>Some words on what our small office pays for, and why we do.</p>
<table><tr><td>Pad</td><td>Monthly</td><td>Since</td></tr><tr><td>Larkpad</td><td>$9</td><td>2021</td></tr>
<tr><td>Finchnote</td><td>$12</td><td>2024</td></tr></table>"""


def test_a_recipe_says_on_which_side_of_a_table_the_names_stand():
    assert extract(html(TABLE_PAGE, URL)).side_by_side is None  # type: ignore[union-attr]
    found = compare(TABLE_PAGE, TABLE)
    assert found.tools == (ComparedTool("Larkpad", price="$9"), ComparedTool("Finchnote", price="$12"))
    assert [(row.attribute, row.values) for row in found.rows] == [
        ("Monthly", ("$9", "$12")),
        ("Since", ("2021", "2024")),
    ]


def test_a_table_that_is_gone_or_stands_twice_is_told():
    assert rules(TABLE_PAGE.replace("Monthly", "Yearly"), TABLE) == ["recipe_no_record"]
    twice = TABLE_PAGE + TABLE_PAGE.replace("$9", "$8").replace("Pad<", "Thing<")
    assert rules(twice, TABLE) == ["recipe_ambiguous"]
    assert rules(TABLE_PAGE.replace("Finchnote", "Larkpad"), TABLE) == ["recipe_ambiguous"]


REVIEWS = """
[tools]
css = "main"
[tools.fields]
name = { css = "h1" }
[reviews]
css = "blockquote"
count = 2
[reviews.fields]
author = { css = "cite" }
rating = { css = ".stars", attribute = "data-stars" }
text = { css = "p" }
"""

REVIEW_PAGE = """<title>Larkpad</title><main><h1>Larkpad</h1><p>A pad for a small office, in our own words.</p>
<blockquote><i class=stars data-stars=4></i><p>I left my paper for it.</p><cite>Ada</cite></blockquote>
<blockquote><i class=stars data-stars=2></i><p>Too plain for me.</p><cite>Ben</cite></blockquote></main>"""


def test_reviews_of_a_page_of_one_tool_are_its():
    found = compare(REVIEW_PAGE, REVIEWS)
    assert found.claim == "describes"
    assert found.reviews == (
        OutsideReview(0, "Ada", "4", None, None, "I left my paper for it."),
        OutsideReview(0, "Ben", "2", None, None, "Too plain for me."),
    )


def test_a_review_of_a_tool_that_the_page_has_not_is_nobodys_and_told():
    named = REVIEWS + 'tool = { css = "b" }\n'
    page = REVIEW_PAGE.replace("<cite>Ada", "<b>Larkpad</b><cite>Ada").replace("<cite>Ben", "<b>Wrenlist</b><cite>Ben")
    assert [review.tool for review in compare(page, named).reviews] == [0, None]
    assert rules(page, named) == ["recipe_ambiguous"]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("[tools]", "alwys = true\n[tools]", "there is no key 'alwys'; did you mean 'always'?"),
        ('css = "div.card"', 'css = "div["', "tools: 'div[' is not a CSS selector"),
        ('css = "div.card"', "heading = 9", "tools.heading: Expected"),
        ('css = "div.card"', 'css = "div.card"\ntable = "Plan"', "tools: say what a record is by one of css, heading"),
        ('css = "div.card"', 'table = "Plan"', "tools: names_in goes with table"),
        ('css = "div.card"', "heading = 2", "tools: below a heading or in a table a field is found by its label"),
        ("name =", "nam =", "tools: there is no key 'nam'; did you mean 'name'?"),
        ('name = { css = "b" }', "", "tools: fields.name is missing"),
        ('{ css = "b" }', "{}", "tools.fields: say where it stands by a label or by css"),
        ('{ css = "b" }', '{ label = "Name", attribute = "id" }', "tools.fields: attribute goes with css"),
        ("[tools.rows]", '[reviews]\ncss = "p"\n[tools.rows]', "reviews: fields.text is missing"),
    ],
)
def test_a_mistake_of_a_recipe_is_named_with_what_to_do(before, after, message):
    with pytest.raises(BrokenRecipe) as broken:
        parse_recipe("shelf.example", CARDS.replace(before, after, 1), "a.toml")
    assert str(broken.value).startswith(f"a.toml: {message}")


def test_a_rank_that_is_no_number_is_told():
    recipe = CARDS.replace("[tools.rows]", 'rank = { css = "a" }\n[tools.rows]')
    assert rules(CARD_PAGE, recipe) == ["recipe_unfilled"]
    assert [tool.rank for tool in compare(CARD_PAGE.replace(">open<", ">#2<"), recipe).tools] == [2, None]


@pytest.mark.parametrize("text", ["[tools", "", "tools = 3", "[tools]\ncss = 3\nfields = 3", "path = 3\n[tools]"])
def test_whatever_is_no_recipe_is_told(text):
    with pytest.raises(BrokenRecipe, match=r"^a\.toml: "):
        parse_recipe("shelf.example", text, "a.toml")
