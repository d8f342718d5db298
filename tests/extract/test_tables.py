"""Where cells stand: the walk over a page and the whole table agree, whatever the spans."""

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from extract.html.html_blocks import html_blocks
from extract.html.table_cells import COLUMNS_MAX, ROWS_MAX, WrittenCell, rectangle, table_cells

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
