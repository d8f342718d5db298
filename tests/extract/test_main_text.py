"""Pages of other sites: text, date and schema.org texts, whatever nonsense stands beside them."""

import pytest

from builders.snapshots import article, html
from verdicts.extract.model.records import Document
from verdicts.extract.page import extract


def read(head: str, body: str = "") -> Document:
    return article(body, "Alpha vs Bravo", head=head)


@pytest.mark.parametrize(
    ("said", "read_as"),
    [
        ("2026-05-02T08:00:00Z", "2026-05-02"),
        ("May 2nd, 2026", "2026-05-02"),
        ("2 mai 2026", "2026-05-02"),
        ("20260502", "2026-05-02"),
        ("2031-05-02", "2031-05-02"),
        ("2026-02-30", None),
        ("2026-13-45T99:99:99Z", None),
        ("2026-05-02T00:00:00+99:99", None),
        ("9999999-99-99", None),
        ("2026", None),
    ],
)
def test_a_date_is_the_one_that_the_page_states_or_none_and_never_costs_the_text(said, read_as):
    document = read(f'<meta property="article:published_time" content="{said}">')
    assert document.published_date == read_as
    assert "wrote down what it did" in document.text


def test_a_price_is_no_date():
    assert read("", "<p>Plans: 1995 for one, 2000 for two.</p>").published_date is None


@pytest.mark.parametrize("nothing", ["\\ud800", "\\udc00\\ud800", "\\u0000", "\\u2063", "\\u200b", "\\u0301", " "])
def test_a_text_that_shows_nothing_is_no_review_and_no_name(nothing):
    review = f'{{"@type": "Review", "reviewBody": "%s", "author": "{nothing}", "datePublished": "{nothing}"}}'
    items = [f'{{"@type": "Product", "name": "{name}", "review": {review}}}' for name in ("Alpha", "Bravo", nothing)]
    script = f"[{items[0] % 'Fine words.'}, {items[1] % nothing}, {items[2] % nothing}]"
    tables = read(f'<script type="application/ld+json">{script}</script>').side_by_side
    assert tables is not None
    assert [tool.name for tool in tables.tools] == ["Alpha", "Bravo"]
    assert [(item.text, item.author, item.published_date) for item in tables.reviews] == [("Fine words.", None, None)]


@pytest.mark.parametrize("teaser", ['<article class="teaser">{}</article>', '<div class="entry-content">{}</div>'])
def test_a_description_in_plain_boxes_is_the_main_text_and_the_teaser_beside_it_is_not(teaser):
    hats = teaser.format(f"<p>{'Buy a hat for the summer. ' * 12}</p>")
    parts = ("strap", "flap", "base", "back", "inner pocket", "handle", "clasp", "seam", "lid", "pouch")
    told = [
        f"The {part} is cut from one piece, and a shop by the river has sewn it on by hand for {years} years."
        for years, part in enumerate(parts, start=20)
    ]
    box = "".join(f"<p>{sentence} It is brushed once and then left alone.</p>" for sentence in told)
    frame = (
        '<html><head><title>Satchel</title></head><body><nav><a href="/">Home</a></nav><h1>Satchel</h1>{}</body></html>'
    )
    page = frame.format(f"{hats}<div><div>{box}</div></div><footer>A shop</footer>")
    document = extract(html(page, "http://a.example/satchel"))
    assert isinstance(document, Document), document
    assert all(sentence in document.text for sentence in told)
    assert "Buy a hat" not in document.text
