"""Comparisons of other sites: what schema.org items and tables hold of the tools that stand side by side."""

import pytest

from builders.paths import PAGES
from builders.read_documents import ComparedRow, ComparedTool, ReadDocument, as_read
from builders.snapshots import html
from verdicts.extract.model.records import Document, OutsideReview
from verdicts.extract.page import extract


def read(name: str, replaced: dict[str, str] | None = None) -> ReadDocument:
    text = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    for old, new in (replaced or {}).items():
        assert old in text
        text = text.replace(old, new)
    document = extract(html(text, f"https://other.example/{name}"))
    assert isinstance(document, Document), document
    return as_read(document)


QUILLMATE = ComparedTool(
    "Quillmate",
    url="https://toolshelf.example/t/quillmate",
    description="Drafts release notes from merged changes.",
    category="Writing",
    price="12.00 USD",
    rating="4.6",
    rating_best="5",
    ratings="212",
)


def test_json_ld_gives_tools_ratings_reviews_and_questions_though_it_is_broken():
    page = read("jsonld_review_site")
    compared = page.side_by_side
    assert compared.reader == "schema_org"
    assert compared.tools == (QUILLMATE, ComparedTool("Draftwell", rating="3.9", ratings="87"))
    assert compared.rows == (
        ComparedRow("question", "Can both work offline?", ("Quillmate can; Draftwell needs its server.",)),
    )
    first, second = compared.reviews
    assert first.text.startswith("It wrote our changelog")
    assert first == OutsideReview(0, "Ines", "5", "5", "2026-05-02", first.text)
    words = "Every draft begins with the same sentence, and it is not a good one."
    assert second == OutsideReview(1, "Tomas", "2", None, None, words)
    assert "line by line" in page.text


@pytest.mark.parametrize(
    "replaced",
    [
        {
            '<script type="application/ld+json">\n{': '<script type="application/ld+json">\n<!--\n{',
            "}\n</script>": "}\n-->\n</script>",
        },
        {'"@context": "https://schema.org",': ""},
        {'"@type": "SoftwareApplication",': '"@type": "https://schema.org/SoftwareApplication",'},
        {"<title>Quillmate vs Draftwell: side by side (2026) | Toolshelf</title>": "<title>Toolshelf</title>"},
    ],
)
def test_items_are_read_however_they_are_wrapped(replaced):
    assert [tool.name for tool in read("jsonld_review_site", replaced).side_by_side.tools] == ["Quillmate", "Draftwell"]


def test_items_beyond_repair_cost_themselves_and_not_the_page():
    page = read("jsonld_review_site", {'"@graph": [': '"@graph": [[[{'})
    assert page.side_by_side is None
    assert "line by line" in page.text


def test_a_table_gives_a_value_a_tool_for_each_attribute():
    compared = read("table_blog_post").side_by_side
    assert compared.reader == "table"
    assert [tool.name for tool in compared.tools] == ["Larkspur", "Fennel"]
    assert compared.rows == (
        ComparedRow("attribute", "Tokens a second", ("41", "38"), "Speed", 0),
        ComparedRow("attribute", "Memory", ("6 GB idle", "4 GB idle"), "Speed", 0),
        ComparedRow("attribute", "Memory", ("9 GB busy", "8 GB busy"), "Speed", 0),
        ComparedRow("attribute", "Licence", ("Apache 2.0", "Apache 2.0"), "Speed", 0),
        ComparedRow("attribute", "Windows", ("yes", None), "Speed", 0),
    )


def test_microdata_gives_the_tools_of_a_list():
    compared = read("microdata_list").side_by_side
    assert compared.tools == (
        ComparedTool(
            "Trueline",
            url="https://trueline.example/",
            description="Reads migrations and says what they will lock.",
            price="0 EUR",
            rating="4.2",
            rating_best="5",
            ratings="31",
        ),
        ComparedTool("Bobweight", description="A linter for schemas, small and loud."),
    )
    words = "It shouted at me about an index that I had forgotten, and it was right."
    assert compared.reviews == (OutsideReview(1, "Mika", None, None, "2026-03-09", words),)


@pytest.mark.parametrize("name", ["table_blog_post", "jsonld_review_site"])
def test_a_comparison_path_is_no_promise_on_the_host_of_no_profile(name):
    body = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    document = extract(html(body, "https://other.example/compare/alpha-vs-beta"))
    assert isinstance(document, Document), document
    assert as_read(document).side_by_side == read(name).side_by_side


def test_an_article_below_such_a_path_keeps_its_text():
    words = "Alpha starts faster and Beta forgets less, which took us a week to find out. " * 8
    article = f"<html><body><main><h1>Alpha or Beta?</h1><p>{words}</p></main></body></html>"
    document = extract(html(article, "https://other.example/compare/alpha-vs-beta"))
    assert isinstance(document, Document), document
    assert document.side_by_side is None
    assert "forgets less" in document.text


def test_a_table_of_prices_and_icons_is_read_as_it_is_seen_and_doubts_are_told():
    table = (
        "<table><tr><th></th><th>Larkspur</th><th>Fennel</th></tr>"
        "<tr><td>Price</td><td><del>$29</del> <b>$19</b><span>/mo</span></td><td>$9<sup>[1]</sup></td></tr>"
        '<tr><td>Offline</td><td><i class="fa fa-check"></i></td><td><i class="fa fa-times"></i></td></tr>'
        '<tr><td>Plugins</td><td>40</td><td><svg class="a17"></svg></td></tr>'
        '<tr><td>Themes</td><td><i class="fa fa-times"></i> dark</td></tr></table>'
    )
    page = read("table_blog_post", {"<table>\n<caption>What I measured</caption>": f"{table}<table>"})
    assert page.side_by_side.rows[:4] == (
        ComparedRow("attribute", "Price", ("$19/mo", "$9"), grid=0),
        ComparedRow("attribute", "Offline", ("Yes", "No"), grid=0),
        ComparedRow("attribute", "Plugins", ("40", None), grid=0),
        ComparedRow("attribute", "Themes", ("dark", None), grid=0),
    )
    assert [(doubt.rule, doubt.found) for doubt in page.doubts] == [
        ("flawed_table", "ragged row at row 5, column 3"),
        ("unread_text", "a cross beside it"),
        ("unreadable_cell", "an icon without a name for 'Plugins'"),
    ]
