"""Where cells stand: the walk over a page and the whole table agree, whatever the spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.snapshots import read_grids
from verdicts.extract.html.html_page import Page
from verdicts.extract.html.table_cells import COLUMNS_MAX, ROWS_MAX
from verdicts.extract.model.blocks import Cell

spans = st.sampled_from([0, 1, 1, 1, 2, 3, 70])
claims = st.tuples(spans, spans)
tables = st.lists(st.lists(claims, min_size=1, max_size=6), min_size=1, max_size=8)


def as_html(rows: list[list[tuple[int, int]]]) -> str:
    """Cells of so many rows and columns, with a text for each that says where it was written."""
    body = "".join(
        "<tr>"
        + "".join(
            f"<td rowspan={down} colspan={across}>cell {row}/{number}</td>"
            for number, (down, across) in enumerate(written)
        )
        + "</tr>"
        for row, written in enumerate(rows)
    )
    return f"<!doctype html><body><table>{body}</table>"


@given(st.lists(st.lists(claims, max_size=6), max_size=8))
def test_a_table_is_rectangular_and_loses_no_cell(rows):
    (grid,) = read_grids(as_html(rows))
    made = grid.texts()
    assert len({len(row) for row in made}) <= 1
    texts = {text for row in made for text in row}
    lost = {f"cell {row}/{number}" for row, cells in enumerate(rows) for number, _ in enumerate(cells)} - texts
    flaws = {defect.flaw for defect in grid.defects}
    assert not lost or flaws & {"overlap", "too_large"}


@given(tables)
def test_the_walk_places_a_cell_where_the_whole_table_has_it(rows):
    html = as_html(rows)
    (grid,) = read_grids(html)
    places = {(cell.row, cell.column): cell.said.text for cell in grid.cells}
    for block in Page(html).blocks():
        assert block.cell is not None
        if any(defect.flaw == "too_large" for defect in grid.defects):
            continue
        assert places[block.cell.row, block.cell.column] == block.text


def test_a_table_of_hostile_spans_stays_small():
    hostile = "<tr><td rowspan=100000000 colspan=1000000000000000>x</td></tr><tr><td>y</td></tr>"
    (grid,) = read_grids(f"<body><table>{hostile}</table>")
    assert (grid.rows, grid.columns) == (2, COLUMNS_MAX + 1)
    assert {defect.flaw for defect in grid.defects} == {"cut_span", "ragged_row"}
    (long,) = read_grids(f"<body><table>{'<tr><td>x</td></tr>' * (ROWS_MAX + 5)}</table>")
    assert (long.rows, [defect.flaw for defect in long.defects]) == (ROWS_MAX, ["too_large"])


def test_a_head_over_more_rows_than_fifty_moves_the_cells_of_all_of_them():
    rows = "".join(f"<tr><td>value {number}</td></tr>" for number in range(55))
    page = Page(f"<body><table><tr><th rowspan=56>Limits</th><td>first</td></tr>{rows}</table>")
    columns = {block.text: block.cell.column for block in page.blocks() if block.cell is not None}
    assert columns.pop("Limits") == 0
    assert set(columns.values()) == {1}


def test_a_table_in_a_cell_is_a_table_of_its_own():
    inner = "<table><tr><td>inner</td></tr></table>"
    page = Page(f"<body><table><tr><td>left</td><td>{inner}</td><td>right</td></tr></table>")
    places = {block.text: block.cell for block in page.blocks() if block.text}
    assert [(places[text].table, places[text].row, places[text].column) for text in ("left", "inner", "right")] == [
        (0, 0, 0),
        (1, 0, 0),
        (0, 0, 2),
    ]


def aria_cells(html: str) -> list[tuple[str, int, int, bool]]:
    blocks = Page(html).blocks()
    return [(block.text, block.cell.row, block.cell.column, block.is_key) for block in blocks if block.cell is not None]


def test_a_table_by_its_roles_is_read_as_the_same_table_in_html():
    by_roles = (
        '<div role="table"><div role="rowgroup"><div role="row"><span role="columnheader">Label</span>'
        '<span role="columnheader" aria-colspan="2">Tools</span></div></div>'
        '<div role="row"><div role="rowheader" aria-rowspan="2">Entry</div><div role="cell"><b>Free</b> tier</div>'
        '<div role="cell"></div></div><div role="row"><div role="gridcell">Paid</div></div></div>'
    )
    in_html = (
        "<table><thead><tr><th>Label</th><th colspan=2>Tools</th></tr></thead>"
        "<tr><th rowspan=2>Entry</th><td><b>Free</b> tier</td><td></td></tr><tr><td>Paid</td></tr></table>"
    )
    cells = [
        ("Label", 0, 0, True),
        ("Tools", 0, 1, True),
        ("Entry", 1, 0, True),
        ("Free tier", 1, 1, False),
        ("", 1, 2, False),
        ("Paid", 2, 1, False),
    ]
    assert aria_cells(by_roles) == aria_cells(in_html) == cells


def test_a_row_that_is_a_link_keeps_its_target():
    html = '<div role="grid"><a role="row" href="/tools/alpha"><div role="gridcell">Alpha</div></a></div>'
    (block,) = Page(html).blocks()
    assert (block.text, block.href, block.cell) == ("Alpha", "/tools/alpha", Cell(0, 0, 0))


def test_cells_without_a_row_are_one_row():
    html = '<div role="grid"><div role="gridcell">75%</div><div role="gridcell">62%</div></div>'
    assert aria_cells(html) == [("75%", 0, 0, False), ("62%", 0, 1, False)]


def test_rows_of_a_foot_stand_last_and_spans_end_with_their_group():
    (grid,) = read_grids(
        "<body><table><caption>Plans</caption><tfoot><tr><td>sum</td><td>9</td></tr></tfoot>"
        "<thead><tr><th rowspan=3>Plan</th><th>Price</th></tr></thead>"
        "<tbody><tr><td rowspan=0>Solo</td><td>4</td></tr><tr><td>5</td></tr></tbody></table>"
    )
    assert grid.texts() == [["Plan", "Price"], ["Solo", "4"], ["Solo", "5"], ["sum", "9"]]
    assert (grid.caption, [defect.flaw for defect in grid.defects]) == ("Plans", ["cut_span"])
    assert [cell.said.text for cell in grid.cells if cell.is_head] == ["Plan", "Price"]


@pytest.mark.parametrize(
    ("rows", "flaw", "texts"),
    [
        ("<tr><td>a<td rowspan=2>b</tr><tr><td colspan=2>c</tr>", ("overlap", 1, 0), [["a", "b"], ["c", "b"]]),
        ("<tr><td>a<td>b</tr><tr><td>c</tr>", ("ragged_row", 1, 1), [["a", "b"], ["c", ""]]),
    ],
)
def test_cells_that_claim_one_place_and_a_short_row_are_told(rows, flaw, texts):
    (grid,) = read_grids(f"<body><table>{rows}</table>")
    assert [(defect.flaw, defect.row, defect.column) for defect in grid.defects] == [flaw]
    assert grid.texts() == texts


PRICES = "<tr><th>Tool</th><th>Alpha</th></tr><tr><td>Price</td><td>{}</td></tr>"


def test_copies_of_a_table_are_one_unless_they_differ():
    narrow, wide = (f"<table>{PRICES.format(price)}</table>" for price in ("<b>$9</b>", "$9"))
    assert len(read_grids(f"<body>{narrow}<div>{wide}</div>")) == 1
    first, second = read_grids(f"<body>{narrow}{wide.replace('$9', '$8')}")
    assert first.defects == ()
    assert [(defect.flaw, defect.row, defect.column) for defect in second.defects] == [("copies_differ", 1, 1)]


def test_what_a_page_hides_is_no_row_and_no_table():
    hidden = f'<div style="display:none"><table>{PRICES.format("$8")}</table></div>'
    (grid,) = read_grids(f"<body>{hidden}<table>{PRICES.format('$9')}<tr hidden><td>Old</td><td>$7</td></tr></table>")
    assert grid.texts() == [["Tool", "Alpha"], ["Price", "$9"]]


def test_tables_nested_too_deep_are_told():
    grids = read_grids(f"<body>{'<table><tr><td>' * 10}x{'</td></tr></table>' * 10}")
    assert [len(grid.defects) for grid in grids] == [0] * 7 + [1]
    assert grids[-1].defects[0].flaw == "nested_too_deep"
    assert grids[-1].texts() == [["x"]]


def test_a_page_of_tables_that_claim_everything_is_read_up_to_its_bound():
    rows = "".join(["<tr><td rowspan=0 colspan=60>x</td><td rowspan=0 colspan=60></td></tr>", "<tr></tr>" * 900])
    grids = read_grids(f"<body>{f'<table>{rows}</table>' * 8}")
    assert sum(cell.rows * cell.columns for grid in grids for cell in grid.cells) < 700_000


ROW = "<div><div>{}</div><div>{}</div><div>{}</div></div>"


def test_elements_with_the_same_number_of_parts_are_a_grid():
    rows = [
        ("Feature", "Alpha", "Beta"),
        ("Price", "<b>$9</b>/mo", "$8"),
        ("Offline", "yes", '<i class="fa fa-times"></i>'),
    ]
    (grid,) = read_grids(f"<body><main><div>{' '.join(ROW.format(*row) for row in rows)}</div></main>")
    assert grid.shape == "parts"
    assert grid.texts() == [["Feature", "Alpha", "Beta"], ["Price", "$9/mo", "$8"], ["Offline", "yes", "No"]]


@pytest.mark.parametrize(
    "inside",
    [
        f"<div>{ROW.format('a', 'b', 'c') * 2}</div>",
        f"<div>{ROW.format('a', 'b', 'c') * 3}<div><div>d</div></div></div>",
        f"<div>{ROW.format('a', 'b', 'c') * 2}<div><div>d</div>and<div>e</div><div>f</div></div></div>",
        f"<div>{'<p><b>a</b><i>b</i></p>' * 3}</div>",
        f"<div>{'<div><p>a</p></div>' * 3}</div>",
    ],
)
def test_elements_that_are_not_alike_are_no_grid(inside):
    assert read_grids(f"<body>{inside}") == ()


def test_a_head_that_stays_in_sight_is_that_of_the_table_behind_it():
    head = "<table><tr><th></th><th>Alpha</th><th>Beta</th></tr></table>"
    rows = "<table><tr><td>Price</td><td>$9</td><td>$8</td></tr><tr><td>Reviewers</td><td>1</td><td>2</td></tr></table>"
    (grid,) = read_grids(f"<body><div>{head}</div><div>{rows}</div>")
    assert grid.texts() == [["", "Alpha", "Beta"], ["Price", "$9", "$8"], ["Reviewers", "1", "2"]]
    assert [cell.is_head for cell in grid.cells if cell.row < 2] == [True] * 3 + [False] * 3
    own = rows.replace("<table>", "<table><tr><th>Name</th><th>One</th><th>Two</th></tr>")
    assert len(read_grids(f"<body>{head}{own}")) == 2
