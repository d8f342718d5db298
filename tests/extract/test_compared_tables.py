"""Tables of tools that a title names: heads over two lines, sections, plans, what is left over, what is kept."""

import pytest

from builders.snapshots import article, line, list_doubts, table
from verdicts.extract.model.records import Document


def read(table: str, title: str = "Larkspur vs Fennel") -> Document:
    return article(table, title)


def list_rows(page: Document) -> list[tuple[str | None, str, tuple[str | None, ...]]]:
    return [(row.section, row.attribute, row.values) for row in page.side_by_side.rows]


PAIRED_HEAD = line("", "", "Larkspur", "Fennel", head=True)
HEAD = line("", "Larkspur", "Fennel", head=True)


def test_titles_within_a_table_name_the_rows_below_them_and_one_above_its_heads_does_not():
    page = read(
        table(
            "<th colspan=3>At a glance</th>",
            HEAD,
            line("Offline", "yes", "no"),
            "<td colspan=3>Team</td>",
            line("Price", "$9", "$12"),
            "<td></td><td colspan=2>Enterprise</td>",
            line("Price", "$90", "$120"),
        )
    )
    assert list_rows(page) == [
        (None, "Offline", ("yes", "no")),
        ("Team", "Price", ("$9", "$12")),
        ("Enterprise", "Price", ("$90", "$120")),
    ]
    assert list_doubts(page) == []
    assert page.side_by_side.tools[0].price is None


PLANS = [("Reviewers", "1", "10", "2", "20"), ("Offline", "no", "yes", "no", "yes")]
TERMS = [("Price: Monthly", ("$9", "$12")), ("Price: Yearly", ("$90", "$120"))]
REVIEWERS = [("Reviewers", ("1", "2"))]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            ["<th rowspan=2>Feature</th><th colspan=2>Larkspur</th><th colspan=2>Fennel</th>",
             line("Free", "Pro", "Free", "Pro", head=True), *(line(*row) for row in PLANS)],
            [("Reviewers: Free", ("1", "2")), ("Reviewers: Pro", ("10", "20")),
             ("Offline: Free", ("no", "no")), ("Offline: Pro", ("yes", "yes"))],
        ),
        (
            ["<th rowspan=2>Tool</th><th colspan=2>Price</th>", line("Monthly", "Yearly", head=True),
             line("Larkspur", "$9", "$90"), line("Fennel", "$12", "$120")],
            TERMS,
        ),
        (
            [line("", "", "Larkspur", "Fennel", head=True),
             "<th rowspan=2>Price</th><th>Monthly</th><td>$9</td><td>$12</td>",
             "<th>Yearly</th><td>$90</td><td>$120</td>"],
            TERMS,
        ),
        ([line("", "1. Larkspur", "Fennel (our pick)", head=True), line("Reviewers", "1", "2")], REVIEWERS),
        ([line("Larkspur", "Fennel", head=True), line("Reviewers 1", "Reviewers 2")], REVIEWERS),
        (
            [PAIRED_HEAD, line("Price", "Monthly", "$9", "$12"), line("Price", "Yearly", "$90", "$120")],
            [("Price: Monthly", ("$9", "$12")), ("Price: Yearly", ("$90", "$120"))],
        ),
        ([line("", "Larkspur<br>from $9", "Fennel<br>4.5/5", head=True), line("Reviewers", "1", "2")], REVIEWERS),
        (
            [HEAD, line("Price", "Larkspur $9", "Fennel $8"), line("Reviewers", "Larkspur 5", "Fennel 7")],
            [("Price", ("$9", "$8")), ("Reviewers", ("5", "7"))],
        ),
        (
            [HEAD, line("Made by", "Larkspur Ltd", "Fennel Ltd"), line("Reviewers", "1", "2")],
            [("Made by", ("Larkspur Ltd", "Fennel Ltd")), *REVIEWERS],
        ),
    ],
    ids=["plans in two lines", "terms in two lines", "labels in two columns", "a rank and a remark", "labels in cells",
         "labels in pairs", "a price", "heads repeated in each cell", "a head that one cell begins with"],
)  # fmt: skip
def test_heads_of_more_than_a_line_or_a_name_give_each_tool_its_own_values(rows, expected):
    assert list_rows(read(table(*rows))) == [(None, *row) for row in expected]


def test_ranks_above_names_without_a_label_beside_them_are_theirs():
    rows = (line("1", "2"), line("Larkspur", "Fennel", head=True), line("Reviewers 1", "Reviewers 2"))
    assert [(tool.name, tool.rank) for tool in read(table(*rows)).side_by_side.tools] == [
        ("Larkspur", 1),
        ("Fennel", 2),
    ]


def test_a_column_of_another_tool_is_nobodys_and_its_numbers_are_told():
    page = read(table(line("", "Larkspur", "Larkspur Desk", "Fennel", head=True), line("Reviewers", "1", "7", "2")))
    assert list_rows(page) == [(None, "Reviewers", ("1", "2"))]
    assert page.grids[0].left_over == ("Larkspur Desk", "7")
    assert list_doubts(page) == [("left_over", "'7'")]


def test_a_table_of_one_tool_and_others_names_no_values_and_is_kept_and_told():
    page = read(table(line("", "Cedar", "Fennel", head=True), line("Reviewers", "1", "2"), line("Size", "3", "4")))
    assert page.side_by_side is None
    assert [(grid.reason, grid.names_in) for grid in page.grids] == [("other_tools", None)]
    assert page.grids[0].cells == (("", "Cedar", "Fennel"), ("Reviewers", "1", "2"), ("Size", "3", "4"))
    assert list_doubts(page) == [("axis_unclear", "tables without clear names of tools: 1")]


def test_names_that_a_table_writes_otherwise_than_the_title_are_those_of_the_table():
    head = line("Feature", "Larkspur Desk", "Acme Fennel", head=True)
    page = read(table(head, line("Reviewers", "1", "2"), line("Price", "$9", "$8")))
    assert [tool.name for tool in page.side_by_side.tools] == ["Larkspur Desk", "Acme Fennel"]
    plans = line("Feature", "Larkspur Free", "Larkspur Pro", head=True)
    assert read(table(plans, line("Reviewers", "1", "2"), line("Price", "$0", "$8"))).side_by_side is None


def test_a_table_of_the_tools_against_each_other_says_nothing_of_either():
    page = read(table(HEAD, line("Larkspur", "-", "12"), line("Fennel", "7", "-")))
    assert page.side_by_side is None
    assert list_doubts(page) == [("axis_unclear", "tables without clear names of tools: 1")]


def test_two_columns_of_one_tool_that_nothing_tells_apart_are_none_of_its():
    page = read(table(line("", "Larkspur", "Larkspur", "Fennel", head=True), line("Reviewers", "1", "5", "2")))
    assert page.side_by_side is None
    assert [grid.reason for grid in page.grids] == []


def test_tables_of_a_page_that_compares_are_kept_with_what_speaks_for_their_names():
    title = "What to write notes with"
    tools = table(
        line("Tool", "Best for", "Price", head=True), line("Larkspur", "teams", "$9"), line("Fennel", "poets", "$12")
    )
    plans = table(line("Plan", "Price", "Users", head=True), line("Starter", "$9", "1"), line("Team", "$29", "10"))
    page = read(tools + plans, title)
    assert [(grid.reason, grid.names_in) for grid in page.grids] == [("names_found", "rows"), ("plans", None)]
    assert page.grids[0].evidence == ("attributes", "corner", "types")
    assert page.grids[0].points == 6
    assert {row.grid for row in page.side_by_side.rows} == {0}


FACTS = (("Price", "$9", "$12"), ("Offline", "yes", "no"), ("Reviewers", "1", "2"))


def test_elements_in_rows_name_tools_where_what_is_said_of_them_is_said_of_products():
    rows = [("Tool", "Price", "Best for"), ("Larkspur", "$9", "poets"), ("Fennel", "$12", "teams")]
    parts = "".join(f"<div>{''.join(f'<div>{text}</div>' for text in row)}</div>" for row in rows)
    page = read(f"<section>{parts}</section>", "The best note writers")
    assert [(tool.name, tool.price, tool.best_for) for tool in page.side_by_side.tools] == [
        ("Larkspur", "$9", "poets"),
        ("Fennel", "$12", "teams"),
    ]
    others = parts.replace("Price", "Length").replace("Best for", "Singer").replace("Tool", "Song")
    assert read(f"<section>{others}</section>", "The best songs").side_by_side is None


@pytest.mark.parametrize("last", ["2Lock", "—"])
def test_an_entry_of_a_list_heads_no_values_of_the_others(last):
    names = ("Larkspur", "Fennel", "Trueline", last)
    parts = (f"<div><div>0{rank}</div><div>{name}</div><div>${rank}</div></div>" for rank, name in enumerate(names, 1))
    page = read(f"<section>{''.join(parts)}</section>", "The best note writers of May").side_by_side
    assert [tool.name for tool in page.tools] == [name for name in names if name != "—"]
    assert page.rows == ()


def test_a_promised_comparison_in_parts_that_is_not_read_is_told():
    rows = [("", "Larkspur Desk", "Fennel Desk"), *FACTS]
    parts = "".join(f"<div>{''.join(f'<div>{text}</div>' for text in row)}</div>" for row in rows)
    page = read(f"<section>{parts}</section>")
    assert page.side_by_side is None
    assert list_doubts(page) == [("axis_unclear", "tables without clear names of tools: 1")]


def test_a_head_is_of_the_longest_name_that_it_begins_with():
    head = line("", "Larkspur (for teams)", "Larkspur Pro (for firms)", head=True)
    page = read(table(head, line("Reviewers", "5", "9")), "Larkspur vs Larkspur Pro")
    assert list_rows(page) == [(None, "Reviewers", ("5", "9"))]


def test_prices_of_a_page_that_says_it_compares_and_names_no_tool_are_told():
    cards = "".join(f"<div><h3>{name}</h3><p>{price}</p></div>" for name, price in (("One", "$9"), ("Two", "$12")))
    page = read(cards, "Prices of archivers compared")
    assert page.side_by_side is None
    assert list_doubts(page) == [("list_not_read", "'$9', and 1 more")]
    assert list_doubts(read(cards, "What archivers cost us")) == []


@pytest.mark.parametrize(
    "rows",
    [
        [
            ("Hersteller/Modell", "Preis", "Note"),
            ("bis 1 Jahr", "", ""),
            ("Tern A", "99 €", "2,1"),
            ("B2", "80 €", "3"),
        ],
        [("Параметр", "Tern Valley", "Bird Hill"), ("Лифты", "18", "7"), ("Трассы", "104", "30")],
    ],
)
def test_a_table_that_compares_is_told_though_the_title_promises_nothing(rows):
    page = article(table(*(line(*row) for row in rows)), "A week with all of them")
    assert page.side_by_side is None
    assert [rule for rule, _ in list_doubts(page)] == ["axis_unclear"]


def test_a_table_of_prices_beside_the_tools_of_a_list_that_names_others_is_told():
    names = ("Larkspur", "Fennel", "Bobweight")
    section = "<h2>{0}. {1}</h2><p>{1} ran for a week, and we paid $9.</p><p>Price: $9</p>"
    listed = "".join(section.format(number, name) for number, name in enumerate(names, start=1))
    others = table(*(line(*row) for row in (("Model", "Price"), ("Curlew", "$12"), ("Plover", "$15"), ("Snipe", "$8"))))
    page = article(listed + others, "The 3 best changelog writers")
    assert [tool.name for tool in page.side_by_side.tools] == [*names]
    assert ("left_over", "a table with 'Model', 'Price'") in list_doubts(page)
