"""What stands beside a name on other sites is no part of it: prices, ranks, stars and badges."""

import pytest

from builders.snapshots import article, make_table

TITLE = "The 3 best kite printers"
NAMES = ("Larkspur", "Fennel", "Bobweight")


def lists(*headings, title=TITLE):
    words = ("came with a plan for each of us, and kept to it", "ran for a week", "prints what it is given")
    paragraphs = zip(headings, NAMES, words, strict=True)
    body = "".join(
        f"<h2>{head}</h2><p>On Monday {name} {say}. We had asked it for a red one and a blue one of each size.</p>"
        f"<a href='https://{name.lower()}.example/'>Visit {name}</a>"
        for head, name, say in paragraphs
    )
    return tools(article(body, title))


def tools(page):
    found = page.side_by_side.tools if page.side_by_side else ()
    return [(tool.name, tool.price, tool.rating, tool.rank) for tool in found]


@pytest.mark.parametrize(
    ("heading", "price", "rating"),
    [
        ("Larkspur <span>Free / $16/mo</span>", "Free / $16/mo", None),
        ("Larkspur for $400", "$400", None),
        ("Larkspur <em>FREE</em>", "FREE", None),
        ("Larkspur<b>$9/mo</b>", "$9/mo", None),
        ("Larkspur ★★★★☆ 4.2/5", None, "4.2/5"),
        ("Larkspur ⭐ 4.8 (2,341)", None, "⭐ 4.8"),
        ("Larkspur<i>Editors’ Choice</i>", None, None),
        ("Larkspur ($16) NEW", "$16", None),
    ],
)
def test_prices_stars_and_badges_behind_a_name_are_no_part_of_it(heading, price, rating):
    assert lists(heading, "Fennel", "Bobweight")[0] == ("Larkspur", price, rating, None)


def test_free_is_a_price_beside_names_with_prices_and_else_part_of_a_name():
    priced = lists("Larkspur From $12/mo", "Fennel $9/mo", "Bobweight Free")
    assert [tool[:2] for tool in priced] == [("Larkspur", "From $12/mo"), ("Fennel", "$9/mo"), ("Bobweight", "Free")]
    assert [tool[0] for tool in lists("Larkspur", "Fennel", "Bobweight Free")] == [
        "Larkspur",
        "Fennel",
        "Bobweight Free",
    ]


def test_a_name_with_a_colon_of_its_own_and_a_name_in_quotes_stay_whole():
    names = [
        tool[0] for tool in lists("1. Larkspur: Mechanized Kite League", "2. Fennel", "3. “Bobweight: The Return”")
    ]
    assert names == ["Larkspur: Mechanized Kite League", "Fennel", "“Bobweight: The Return”"]
    assert [tool[0] for tool in lists("Larkspur: Fast Kites", "Fennel: Slow Kites", "Bobweight")][:2] == [
        "Larkspur",
        "Fennel",
    ]


def test_ranks_glued_to_names_are_ranks():
    glued = [f"<span>{rank}</span><b>{name}</b>" for rank, name in enumerate(NAMES, start=1)]
    ranked = [(name, rank) for rank, name in enumerate(NAMES, start=1)]
    assert [(tool[0], tool[3]) for tool in lists(*glued)] == ranked
    rows = [[name, f"${9 + place}", "4.5/5"] for place, name in enumerate(glued)]
    table = tools(article(make_table(["Printer", "Price", "Rating"], *rows), TITLE))
    assert [(tool[0], tool[3]) for tool in table] == ranked


def test_a_printed_rating_wins_over_stars_and_half_stars_are_read():
    rows = (
        "<div><div>★★★★★</div> <strong>9.2/10</strong> <span>Top Pick</span></div>",
        "<p>Rating: ★★★★½ 4.8</p>",
        "<p>★★★★½</p>",
    )
    body = "".join(
        f"<h2>{rank}. {name}</h2>{row}<p>On Monday {name} came with a plan for each of us, and kept to it.</p>"
        for (rank, name), row in zip(enumerate(NAMES, start=1), rows, strict=True)
    )
    assert [tool[2] for tool in tools(article(body, TITLE))] == ["9.2/10", "★★★★½ 4.8", "★★★★½"]


@pytest.mark.parametrize("label", ["Price-Value", "2-year total cost", "Price index"])
def test_a_label_with_price_in_it_is_not_always_that_of_a_price(label):
    rows = [[name, "9.5", f"{place}/10"] for place, name in enumerate(NAMES, start=7)]
    table = tools(article(make_table(["Printer", label, "Rating"], *rows), TITLE))
    assert [(tool[0], tool[1]) for tool in table] == [(name, None) for name in NAMES]


def test_whom_a_tool_is_best_for_is_told_and_an_award_is_none():
    page = article(
        "".join(
            f"<h2>{rank}. {name}: {award}</h2><p>On Monday {name} came with a plan for each of us, and kept to it.</p>"
            for rank, (name, award) in enumerate(
                zip(NAMES, ("Best overall", "Best for schools", "Editors’ choice"), strict=True), 1
            )
        ),
        TITLE,
    )
    assert [tool.best_for for tool in page.side_by_side.tools] == [None, "Best for schools", None]


def test_linked_boxes_that_are_numbered_through_are_a_list_and_their_buttons_are_no_names():
    boxes = "".join(
        f"<div><p><a href='/{name}'>{rank}</a></p><p><a href='/{name}'>See the sheet →</a></p>"
        f"<p><a href='/{name}'>{name}</a></p><p>Prints kites.</p></div>"
        for rank, name in enumerate((*NAMES, "Trueline"), start=1)
    )
    found = tools(article(boxes, "Best kite printers"))
    assert [(tool[0], tool[3]) for tool in found] == [*zip((*NAMES, "Trueline"), range(1, 5), strict=True)]
