"""Tables whose names nothing but their shape gives: tools in rows or columns, or nothing and told."""

import pytest

from builders.read_documents import ComparedRow, ComparedTool
from builders.snapshots import article, list_doubts, make_table
from verdicts.extract.model.records import Document

HEAD = ("Tool", "Best for", "Price", "Platforms")
ROWS = (
    ("Larkspur", "large teams", "$9/mo", "Web, Linux"),
    ("Fennel", "writers", "$12/mo", "Web"),
    ("Bobweight", "nobody", "$30/mo", "macOS"),
)


def read(body: str, title: str = "What to write notes with") -> Document:
    return article(body, title)


TOOLS = (
    ComparedTool("Larkspur", price="$9/mo", best_for="large teams"),
    ComparedTool("Fennel", price="$12/mo", best_for="writers"),
    ComparedTool("Bobweight", price="$30/mo", best_for="nobody"),
)


@pytest.mark.parametrize("head_tag", ["th", "td"])
def test_tools_below_each_other_under_a_corner_that_says_so(head_tag):
    compared = read(make_table(HEAD, *ROWS, has_heads=head_tag == "th")).side_by_side
    assert compared.reader == "table"
    assert compared.tools == TOOLS
    assert compared.rows == (
        ComparedRow("attribute", "Best for", ("large teams", "writers", "nobody"), grid=0),
        ComparedRow("attribute", "Price", ("$9/mo", "$12/mo", "$30/mo"), grid=0),
        ComparedRow("attribute", "Platforms", ("Web, Linux", "Web", "macOS"), grid=0),
    )


def test_without_a_corner_the_headings_of_the_page_settle_it():
    body = make_table(("", *HEAD[1:]), *ROWS) + "".join(f"<h3>{name}</h3><p>It is one.</p>" for name, *_ in ROWS)
    assert read(body).side_by_side.tools == TOOLS


def test_names_lead_where_their_links_lead_and_ranks_are_not_theirs():
    linked = [
        (f'{number}. <a href="https://{name.lower()}.example/">{name}</a>', *rest)
        for number, (name, *rest) in enumerate(ROWS, start=1)
    ]
    compared = read(make_table(("", *HEAD[1:]), *linked), "The best note writers").side_by_side
    assert [(tool.name, tool.url) for tool in compared.tools] == [
        ("Larkspur", "https://larkspur.example/"),
        ("Fennel", "https://fennel.example/"),
        ("Bobweight", "https://bobweight.example/"),
    ]


def test_names_behind_a_column_of_numbers_are_found():
    numbered = [(str(number), *row) for number, row in enumerate(ROWS, start=1)]
    ranked = tuple(tool._replace(rank=rank) for rank, tool in enumerate(TOOLS, start=1))
    assert read(make_table(("#", *HEAD), *numbered)).side_by_side.tools == ranked


def test_two_tables_of_other_tools_are_one_list_and_a_price_that_they_disagree_on_is_no_tools():
    second = (("Larkspur", "poets", "$10/mo", "Web"), ("Trueline", "maps", "$1/mo", "Web"))
    third = (("Larkspur", "nobody", "$11/mo", "Web"), ("Oakum", "ropes", "$2/mo", "Web"))
    compared = read("".join(make_table(HEAD, *rows) for rows in (ROWS, second, third))).side_by_side
    assert [(tool.name, tool.price) for tool in compared.tools] == [
        ("Larkspur", None),
        ("Fennel", "$12/mo"),
        ("Bobweight", "$30/mo"),
        ("Trueline", "$1/mo"),
        ("Oakum", "$2/mo"),
    ]
    assert [row.values for row in compared.rows if row.attribute == "Price"] == [
        ("$9/mo", "$12/mo", "$30/mo", None, None),
        ("$10/mo", None, None, "$1/mo", None),
        ("$11/mo", None, None, None, "$2/mo"),
    ]


NOTHING = {
    "countries": (
        ("Country", "People", "Area"),
        ("Norway", "5,500,000", "385,207"),
        ("Chile", "19,600,000", "756,102"),
    ),
    "plans": (("Plan", "Price", "Users"), ("Starter", "$9", "1"), ("Team", "$29", "10"), ("Business", "$99", "50")),
    "options": (("Option", "Type", "Default"), ("width", "number", "80"), ("strict", "flag", "no")),
    "sizes": (("Size", "Chest", "Waist"), ("S", "90", "75"), ("M", "96", "81"), ("L", "102", "87")),
    "songs": (("#", "Song", "Length"), ("1", "The River", "3:14"), ("2", "The Lid", "2:59")),
    "one product": (("Feature", "Value"), ("Weight", "2 kg"), ("Price", "$20"), ("Platforms", "Web")),
    "opening hours": (("Day", "Open"), ("Monday", "9 to 5"), ("Tuesday", "9 to 5")),
}


@pytest.mark.parametrize("has_headings", [False, True])
@pytest.mark.parametrize("rows", NOTHING.values(), ids=NOTHING)
def test_a_table_that_compares_no_tools_names_none(rows, has_headings):
    headings = "".join(f"<h3>{name}</h3><p>That is one.</p>" for row in rows[1:] for name in row[:2])
    page = read(make_table(*rows) + headings * has_headings)
    assert page.side_by_side is None
    assert page.doubts == ()


def test_names_that_only_their_values_speak_for_are_not_enough():
    assert read(make_table(("", "Price", "Users"), ("Small", "$9", "1"), ("Large", "$29", "10"))).side_by_side is None


def test_names_in_one_direction_hardly_ahead_of_those_in_the_other_are_left_open():
    rows = (("", "Bobweight", "Trueline"), ("Larkspur", "low", "by mail"), ("Fennel", "high", "by phone"))
    sections = {name: f"<h3>{name}</h3><p>It matters.</p>" for name in ("Larkspur", "Fennel", "Bobweight", "Trueline")}
    of_rows = "".join(map(sections.__getitem__, ("Larkspur", "Fennel")))
    both = "".join(sections.values())
    title = "The 2 best note tools"
    assert [tool.name for tool in read(make_table(*rows) + of_rows, title).side_by_side.tools] == ["Larkspur", "Fennel"]
    undecided = read(make_table(*rows) + both, title)
    assert (undecided.side_by_side, undecided.grids[0].reason) == (None, "both_ways")


def test_what_a_page_promises_and_no_table_settles_is_told():
    page = read(make_table(("", "One", "Two"), ("Alpha", "a", "b"), ("Beta", "c", "d")), "Alternatives compared")
    assert page.side_by_side is None
    assert list_doubts(page) == [("axis_unclear", "tables without clear names of tools: 1")]


def test_badges_prices_and_buttons_in_heads_are_no_part_of_names():
    def head(name, *beside):
        return f"<div>{beside[0]}</div><a href='/{name}'>{name}</a><span>{beside[1]}</span><button>Add to cart</button>"

    heads = ("", head("Larkspur", "Sale", "$9"), head("Fennel", "Our top pick", "$12"), head("Bobweight", "New", "$30"))
    rows = (("Weight", "1 kg", "2 kg", "3 kg"), ("Battery life", "5 h", "6 h", "7 h"))
    compared = read(make_table(heads, *rows), "Note machines compared").side_by_side
    assert [(tool.name, tool.price) for tool in compared.tools] == [
        ("Larkspur", "$9"),
        ("Fennel", "$12"),
        ("Bobweight", "$30"),
    ]


def test_a_table_within_a_table_of_layout_is_read():
    inner = make_table(HEAD, *ROWS, ("Trueline", "readers", "$5/mo", "Web"))
    page = read(f"<table><tr><td>Menu</td><td>{inner}</td></tr></table>", "The best note tools")
    assert [tool.name for tool in page.side_by_side.tools] == ["Larkspur", "Fennel", "Bobweight", "Trueline"]


def test_words_that_a_column_of_names_shares_with_its_head_stay():
    rows = [(f"Notebook {name}", *rest) for name, *rest in ROWS]
    compared = read(make_table(("Notebook", *HEAD[1:]), *rows), "The best notebooks").side_by_side
    assert [tool.name for tool in compared.tools] == ["Notebook Larkspur", "Notebook Fennel", "Notebook Bobweight"]


def test_a_table_in_a_closed_tab_is_read():
    hidden = f'<div class="tab-pane" style="display:none">{make_table(HEAD, *ROWS)}</div>'
    assert read(hidden).side_by_side.tools == TOOLS
    assert read(hidden.replace("tab-pane", "offer")).side_by_side is None


@pytest.mark.parametrize("heads", [("Name", "Club", "Goals"), ("Name", "Born", "Films")])
def test_people_in_a_table_are_no_tools_whatever_their_title_promises(heads):
    people = (("Jon Ash", "Rovers", "20"), ("Kim Birch", "United", "18"), ("Lee Cedar", "City", "15"))
    assert read(make_table(heads, *people), "The best of 2025").side_by_side is None
