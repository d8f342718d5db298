"""Where cells stand: the walk over a page and the whole table agree, whatever the spans."""

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from extract.html.html_blocks import html_blocks
from extract.html.table_cells import COLUMNS_MAX, ROWS_MAX, WrittenCell, rectangle, table_cells
from extract.model.blocks import Cell

spans = st.sampled_from([0, 1, 1, 1, 2, 3, 70])
cells = st.builds(WrittenCell, st.text(max_size=5), spans, spans)
tables = st.lists(st.lists(cells, min_size=1, max_size=6), min_size=1, max_size=8)


def as_html(rows: list[list[WrittenCell]]) -> str:
    """The table with a text for each cell that says where it was written."""
    body = "".join(
        "<tr>"
        + "".join(
            f"<td rowspan={cell.rows} colspan={cell.columns}>cell {row}/{number}</td>"
            for number, cell in enumerate(written)
        )
        + "</tr>"
        for row, written in enumerate(rows)
    )
    return f"<!doctype html><body><table>{body}</table>"


@given(st.lists(st.lists(cells, max_size=6), max_size=8))
def test_a_table_is_rectangular_and_loses_no_cell(rows):
    made = rectangle(rows)
    assert len({len(row) for row in made}) <= 1
    texts = [text for row in made for text in row]
    assert all(cell.text in texts for row in rows for cell in row)


@given(tables)
def test_the_walk_places_a_cell_where_the_whole_table_has_it_first(rows):
    tree = LexborHTMLParser(as_html(rows))
    table = tree.css_first("table")
    assert table is not None
    whole = rectangle(table_cells(table))
    for block in html_blocks(tree):
        assert block.cell is not None
        assert whole[block.cell.row][block.cell.column] == block.text


def test_a_table_of_hostile_spans_stays_small():
    made = rectangle([[WrittenCell("x", rows=10**8, columns=10**15)], [WrittenCell("y")]])
    assert (len(made), len(made[0])) == (2, COLUMNS_MAX + 1)
    assert len(rectangle([[WrittenCell("x")]] * (ROWS_MAX + 5))) == ROWS_MAX


def test_a_head_over_more_rows_than_fifty_moves_the_cells_of_all_of_them():
    rows = "".join(f"<tr><td>value {number}</td></tr>" for number in range(55))
    tree = LexborHTMLParser(f"<body><table><tr><th rowspan=56>Limits</th><td>first</td></tr>{rows}</table>")
    columns = {block.text: block.cell.column for block in html_blocks(tree) if block.cell is not None}
    assert columns.pop("Limits") == 0
    assert set(columns.values()) == {1}


def test_a_table_in_a_cell_is_a_table_of_its_own():
    inner = "<table><tr><td>inner</td></tr></table>"
    tree = LexborHTMLParser(f"<body><table><tr><td>left</td><td>{inner}</td><td>right</td></tr></table>")
    places = {block.text: block.cell for block in html_blocks(tree) if block.text}
    assert [(places[text].table, places[text].row, places[text].column) for text in ("left", "inner", "right")] == [
        (0, 0, 0),
        (1, 0, 0),
        (0, 0, 2),
    ]


def aria_cells(html: str) -> list[tuple[str, int, int, bool]]:
    blocks = html_blocks(LexborHTMLParser(html))
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
    (block,) = html_blocks(LexborHTMLParser(html))
    assert (block.text, block.href, block.cell) == ("Alpha", "/tools/alpha", Cell(0, 0, 0))


def test_cells_without_a_row_are_one_row():
    html = '<div role="grid"><div role="gridcell">75%</div><div role="gridcell">62%</div></div>'
    assert aria_cells(html) == [("75%", 0, 0, False), ("62%", 0, 1, False)]
