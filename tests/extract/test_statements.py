"""Statements of a page: one graph out of JSON-LD, microdata and RDFa, whatever form the page gave them."""

import json
from collections.abc import Iterator

import extruct
import pytest

from builders.paths import PAGES
from builders.read_documents import ComparedTool
from verdicts.extract.generic.stated import StatedTool, read_stated_reviews, read_stated_tools
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import clean
from verdicts.extract.model.records import SideBySide
from verdicts.extract.statements.item import DEPTH_MAX, ITEMS_MAX, first, inner, term
from verdicts.extract.statements.statements import Statements, statements
from verdicts.normalize.parse.tool_values import choose_tools

URL = "https://shelf.example/t/heronmark"

HERONMARK = ComparedTool("Heronmark", price="12.50 EUR", rating="4.9764705882353", rating_best="5", ratings="1280")


def page(*parts: object) -> str:
    """Of parts that are no text each becomes a script."""
    html = "".join(part if isinstance(part, str) else script(json.dumps(part)) for part in parts)
    return f"<!doctype html><html><body>{html}</body></html>"


def read(*parts: object) -> Statements:
    return statements(Page(page(*parts), URL))


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def choose(stated: StatedTool) -> ComparedTool:
    return choose_tools(SideBySide("schema_org", (stated.name,), stated.facts))[0][0]


def tools(*parts: object) -> list[ComparedTool]:
    found = read(*parts)
    assert found.doubts == ()
    return [choose(stated) for stated in read_stated_tools(found.items) if not stated.is_named]


MEAN = {"@type": "AggregateRating", "ratingValue": "4.9764705882353", "bestRating": "5", "ratingCount": "1280"}
OFFER = {"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"}
BARE = {"@type": "Product", "name": "Heronmark"}
WHOLE = {**BARE, "aggregateRating": MEAN, "offers": OFFER}
UPPER = {
    "@type": "http://schema.org/product/",
    "Name": "Heronmark",
    "schema:AggregateRating": {
        "https://schema.org/ratingvalue": "4.9764705882353",
        "BestRating": 5,
        "RatingCount": 1280,
    },
    "Offers": {"Price": "12.50", "PriceCurrency": "EUR"},
}
MICRODATA = """
<div itemscope itemtype="https://schema.org/Product" itemid="#p" itemref="mean asked">
<h1 itemprop="name">Heronmark</h1></div>
<p id="mean"><span itemprop="aggregateRating" itemscope><i itemprop="ratingValue">4.9764705882353</i>
<meta itemprop="bestRating" content="5"><b itemprop="ratingCount" content="1280">1.3k</b></span></p>
<p><em id="asked" itemprop="offers" itemscope itemtype="http://schema.org/Offer">
<data itemprop="price" value="12.50"></data>
<meta itemprop="priceCurrency" content="EUR"></em></p>
"""

RDFA = """
<div vocab="https://schema.org/" typeof="Product" resource="#p"><h1 property="name">Heronmark</h1>
<div property="aggregateRating" typeof="AggregateRating"><span property="ratingValue">4.9764705882353</span>
<meta property="bestRating" content="5"><meta property="ratingCount" content="1280"></div>
<link property="offers" resource="#o"></div>
<div prefix="s: https://schema.org/" resource="#o" typeof="s:Offer"><span property="s:price" content="12.50">12½</span>
<span property="s:priceCurrency">EUR</span></div>
"""

FORMS: dict[str, tuple[object, ...]] = {
    "in one": (WHOLE,),
    "numbers": ({**WHOLE, "aggregateRating": {**MEAN, "bestRating": 5, "ratingCount": 1280}},),
    "an array at the top": ([WHOLE],),
    "a graph": ({"@context": "https://schema.org", "@graph": [WHOLE]},),
    "a graph with a name": ({"@id": "#g", "@graph": [WHOLE]},),
    "joined over scripts": (
        {**BARE, "aggregateRating": {"@id": "#r"}, "offers": {"@id": f"{URL}#o"}},
        {**MEAN, "@id": f"{URL}#r"},
        {**OFFER, "@id": "#o"},
    ),
    "joined backwards": (
        {**MEAN, "@id": "#r"},
        {**OFFER, "@id": "#o"},
        BARE | {"offers": {"@id": "#o"}, "aggregateRating": {"@id": "#r"}},
    ),
    "said in two places": ({"@id": "#p", **BARE, "offers": OFFER}, {"@id": "#p", "aggregateRating": MEAN}),
    "without inner types": (
        {**WHOLE, "aggregateRating": {**MEAN, "@type": []}, "offers": [[{**OFFER, "@type": None}]]},
    ),
    "values in objects": (
        {**WHOLE, "name": {"@value": "Heronmark", "@language": "en"}, "offers": {"@list": [OFFER]}},
        {"@context": {"@vocab": "https://schema.org/"}, "@set": []},
    ),
    "type and id without signs": ({"type": "Product", "id": "#p", "name": "Heronmark"}, {"@id": "#p", **WHOLE}),
    "capitals, slashes, prefixes": (UPPER,),
    "several in a script": (
        script(f"{json.dumps({**MEAN, '@id': '#r'})};{json.dumps({**WHOLE, 'aggregateRating': {'@id': '#r'}})}"),
    ),
    "microdata": (MICRODATA,),
    "rdfa": (RDFA,),
    "microdata and a script": (
        MICRODATA.replace(' asked"', '"'),
        {"@id": "#p", "offers": {"@id": "#o"}},
        {**OFFER, "@id": "#o"},
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_tool_is_read_in_whatever_form_it_is_stated(form):
    assert tools(*FORMS[form]) == [HERONMARK]


TERMS = frozenset({"name", "ratingvalue", "ratingcount", "price", "pricecurrency", "reviewbody"})


def list_peer_values(found: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Texts of the asked properties anywhere in what extruct gives."""
    if isinstance(found, list):
        for part in found:
            yield from list_peer_values(part, name)
    elif isinstance(found, dict):
        for key, part in found.items():
            yield from list_peer_values(part, name if key in {"@value", "@list", "properties", "value"} else term(key))
    elif name in TERMS and isinstance(found, str | int | float):
        yield name, clean(str(found))


# Extruct refuses several items in a script.
@pytest.mark.parametrize(
    "form", [*sorted(FORMS.keys() - {"several in a script"}), "jsonld_review_site", "microdata_list"]
)
def test_what_extruct_finds_is_found(form):
    html = page(*FORMS[form]) if form in FORMS else (PAGES / f"{form}.html").read_text(encoding="utf-8")
    peers = {
        *list_peer_values([*extruct.extract(html, base_url=URL, syntaxes=["json-ld", "microdata", "rdfa"]).values()])
    }
    assert peers
    items = statements(Page(html, URL)).items
    assert peers <= {(name, said) for item in items for name in item.properties for said in item.properties[name]}


def test_a_blank_node_means_something_within_its_script_alone():
    one = [{**BARE, "aggregateRating": {"@id": "_:b0"}}, {"@id": "_:b0", "ratingValue": 4}]
    other = [
        {"@type": "Product", "name": "Bittern", "aggregateRating": {"@id": "_:b0"}},
        {"@id": "_:b0", "ratingValue": 2},
    ]
    assert [tool.rating for tool in tools(one, other)] == ["4", "2"]


def test_an_item_of_no_known_type_completes_a_tool_and_makes_none():
    (stated,) = read_stated_tools(read({**WHOLE, "@type": "SaaSTool"}).items)
    assert (choose(stated), stated.is_named) == (HERONMARK, True)


def test_items_that_lead_back_to_themselves_are_read_once():
    found = read(
        {"@id": "#p", **WHOLE, "review": {"@type": "Review", "reviewBody": "Fine.", "itemReviewed": {"@id": "#p"}}}
    )
    assert [item.properties.get("reviewbody") for item in found.items if "review" in item.types] == [["Fine."]]
    (review,) = read_stated_reviews(found.items, ["Heronmark"])
    assert (review.tool, review.text) == (0, "Fine.")
    loop = read(
        '<div itemscope id="a" itemref="b"></div><div id="b"><p itemprop="item" itemscope itemref="b"></p></div>'
    )
    assert loop.doubts == ()


@pytest.mark.parametrize("name", ["offers", "priceSpecification", "priceComponent", "isVariantOf", "item", "review"])
def test_an_item_that_stands_in_itself_ends(name):
    offer = {"@id": "#o", "price": "12.50", "priceCurrency": "EUR", name: {"@id": "#o"}}
    (tool,) = tools({**BARE, "offers": offer, "@id": "#p", name: [offer, {"@id": "#p"}]})
    assert tool.name == "Heronmark"
    loop = {"@id": "#c", "priceComponent": {"@id": "#c"}}
    assert tools({**BARE, "offers": {"priceSpecification": loop}})[0].price is None


def test_a_review_has_its_rating_by_a_reference_and_its_tool_by_the_other_direction():
    found = read(
        {"@id": "#p", **BARE},
        {
            "@type": "Review",
            "@id": "#v",
            "reviewBody": "Quick.",
            "reviewRating": {"@id": "#r"},
            "itemReviewed": {"@id": "#p"},
        },
        {"@id": "#r", "ratingValue": "85%", "bestRating": "100"},
    )
    (review,) = read_stated_reviews(found.items, ["Heronmark"])
    assert (review.tool, review.rating, review.rating_best) == (0, "85%", "100")


def test_a_variant_belongs_to_its_group():
    small = {"@type": "Product", "name": "Heronmark Solo", "offers": OFFER, "inProductGroupWithID": "hm"}
    large = {"@type": "Product", "offers": {**OFFER, "price": "30"}, "isVariantOf": {"@id": "#g"}}
    group = {"@type": "ProductGroup", "@id": "#g", "productGroupID": "hm", "name": "Heronmark", "hasVariant": [large]}
    (tool,) = tools(group, small, large)
    assert (tool.name, tool.price) == ("Heronmark", "30 EUR")
    variants = [choose(stated) for stated in read_stated_tools(read(group, small, large).items) if stated.is_named]
    assert [(tool.name, tool.price) for tool in variants] == [("Heronmark Solo", "12.50 EUR")]


def aggregate(**fields: object) -> dict[str, object]:
    return {"@type": "AggregateOffer", "priceCurrency": "USD", **fields}


def specify(*specifications: dict[str, object], **fields: object) -> dict[str, object]:
    return {"priceCurrency": "EUR", "priceSpecification": [*specifications], **fields}


HUNDRED_PAGES = {"value": 100, "unitText": "pages"}
STRUCK = {"price": "99", "priceType": "https://schema.org/StrikethroughPrice", "unitCode": "ANN"}


@pytest.mark.parametrize(
    ("offers", "price"),
    [
        (aggregate(lowPrice=9, highPrice="49.00"), "9 to 49.00 USD"),
        (aggregate(lowPrice="9", highPrice="9"), "9 USD"),
        (aggregate(lowPrice="9"), "from 9 USD"),
        (aggregate(offers=[OFFER, {**OFFER, "price": "20"}]), "12.50 EUR | 20 EUR"),
        ([OFFER, OFFER], "12.50 EUR"),
        ([{**OFFER, "name": "Solo"}, {**OFFER, "price": "40", "name": "Team"}], "Solo 12.50 EUR | Team 40 EUR"),
        ({"priceSpecification": {"price": "8", "priceCurrency": "GBP", "unitCode": "MON"}}, "8 GBP / month"),
        (specify({"price": 8, "priceCurrency": "GBP", "billingDuration": "P3M"}, price="8"), "8 GBP / P3M"),
        (specify({"price": 2, "referenceQuantity": HUNDRED_PAGES}), "2 EUR / 100 pages"),
        (specify(STRUCK, {"price": "79", "unitCode": "ANN"}), "79 EUR / year"),
        (specify({"minPrice": "5", "maxPrice": "9", "priceCurrency": "EUR"}), "5 to 9 EUR"),
        ({"availability": "InStock"}, None),
        ({"priceSpecification": [{"validFrom": "2026"}, {"price": "5", "priceCurrency": "EUR"}]}, "5 EUR"),
    ],
)
def test_a_price_says_what_it_pays_for(offers, price):
    (tool,) = tools({**BARE, "offers": offers})
    assert tool.price == price


@pytest.mark.parametrize("kind", ["MenuItem", "VideoObject", "Recipe", "Color"])
def test_a_list_of_other_things_names_no_tools(kind):
    elements = [{"@type": "ListItem", "item": {"@type": kind, "name": name}} for name in ("Soup", "Bread")]
    assert [*read_stated_tools(read({"@type": "ItemList", "itemListElement": elements}).items)] == []


@pytest.mark.parametrize(
    ("element", "value"),
    [
        ("<p itemprop=price><del>$30</del> $20</p>", "$20"),
        ("<p itemprop=price><b>$20</b><small>/mo</small></p>", "$20/mo"),
        ("<p itemprop=price><style>b { color: red }</style>20</p>", "20"),
        ("<p itemprop=price style='display:none'>20</p>", "20"),
        ("<p itemprop=price hidden>20</p>", "20"),
        ("<p itemprop=price>3 &lt; 4 <script>if (1<2 && 3>2) {}</script></p>", "3 < 4"),
        ("<div itemprop=price><p>One.</p><p>Two.</p></div>", "One. Two."),
        ("<button itemprop=price>20</button>", "20"),
        ("<a itemprop=price>20</a>", "20"),
        ("<del itemprop=price>20</del>", "20"),
    ],
)
def test_the_text_of_an_element_is_what_a_browser_shows(element, value):
    (item,) = read(f"<div itemscope>{element}</div>").items
    assert first(item, "price") == value


def test_a_review_that_stands_in_a_script_and_in_the_page_is_one():
    stated = {"@type": "Review", "author": {"name": "Ines"}, "reviewBody": "Fine.", "datePublished": "2026-01-02"}
    shown = """<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ines</b>
    <time itemprop="datePublished" datetime="2026-01-02">in January</time><p itemprop="reviewBody">Fine.</p></div>"""
    assert len([*read_stated_reviews(read(stated, shown).items, [])]) == 1
    unsigned = {**stated, "author": []}
    assert len([*read_stated_reviews(read(unsigned, unsigned).items, [])]) == 2


@pytest.mark.parametrize(
    "written",
    [
        '/* ours */ {"@type": "Product", "name": "Heronmark" /* that */, // and /* this\n "url": "https://a.example/*x"}',
        '{"@type": ["Product",], "name": "Heronmark", "url": "https://a.example/*x",};',
        '{"@type": "Product", "name": "Heronmark", "description": "it\\\'s \\"here\\", ]", "url": "https://a.example/*x"}',
        '<!-- {"@type": "Product", "name": "Heronmark", "url": "https://a.example/*x"} -->',
        '{"@type": "Product", "name": "Heronmark", "url": "https://a.example/*x"}'.replace('"', "&quot;"),
    ],
)
def test_a_script_is_read_where_it_is_nearly_json(written):
    found = read(script(written))
    assert found.doubts == ()
    (stated,) = read_stated_tools(found.items)
    assert (choose(stated).name, choose(stated).url) == ("Heronmark", "https://a.example/*x")


def test_a_broken_script_costs_itself_alone_and_is_told():
    found = read(script('{"@type": "Product", "name": "Lost", '), WHOLE)
    assert [choose(stated) for stated in read_stated_tools(found.items)] == [HERONMARK]
    (doubt,) = found.doubts
    assert doubt.rule == "broken_statement"
    assert "Lost" in doubt.found


def test_what_is_beyond_the_bounds_is_told():
    deep: object = "end"
    for _ in range(DEPTH_MAX + 2):
        deep = {"item": deep}
    many = [{"name": f"Number {number}"} for number in range(ITEMS_MAX + 1)]
    nested = "<div itemscope itemprop=item>" * (DEPTH_MAX + 2)
    for beyond in (deep, many, nested):
        assert [doubt.rule for doubt in read(beyond).doubts] == ["cut_statements"]
    assert len(read(many).items) == ITEMS_MAX


@pytest.mark.parametrize("key", ["@context", "@type", "@id", "@reverse", "@list", "itemReviewed"])
@pytest.mark.parametrize(("opening", "end"), [("[", "]"), ('{"@context":', "}")])
@pytest.mark.parametrize("depth", [900, 50_000])
def test_a_value_nested_deep_costs_itself_alone(key, opening, end, depth):
    """50,000 levels are JSON for Python 3.14 and too many for older ones, which take 900."""
    deep = f'{{"{key}": {opening * depth}{{}}{end * depth}}}'
    assert [choose(stated) for stated in read_stated_tools(read(script(deep), WHOLE).items)] == [HERONMARK]


def test_a_name_is_text_even_where_an_item_is_its_own_name():
    (item,) = read({"@id": "#p", "name": {"@id": "#p"}, "author": {"name": "Ines"}}).items[:1]
    assert first(item, "name") is None
    assert first(item, "author") == "Ines"
    assert inner(item, "name") == [item]
