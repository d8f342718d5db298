"""On a page whose title or table names its tools, sections and labels below these names are theirs."""

import pytest

from builders.snapshots import article, line, table

TABLE = table(line("", "Larkspur", "Fennel", head=True), line("Price", "$9", "$12"), line("Reviewers", "5", "10"))


def opinions(body):
    page = article(TABLE + body, "Larkspur vs Fennel")
    return [(row.attribute, row.values) for row in page.side_by_side.rows[2:]]


@pytest.mark.parametrize(
    "body",
    [
        "<h3>Larkspur</h3><span>Pros</span><ul><li>Fast</ul><h3>Fennel</h3><span>Pros</span><ul><li>Calm</ul>",
        "<h3>🔍 Larkspur — Pros</h3><ul><li>Fast</ul><h3>Fennel — Pros</h3><ul><li>Calm</ul>",
        "<h2>Pros of Larkspur</h2><ul><li>Fast</ul><p>We slept on it.</p><h2>Pros of Fennel</h2><ul><li>Calm</ul>",
        "<p><b>Larkspur's pros:</b> Fast</p><p><b>Fennel's pros:</b> Calm</p>",
    ],
)
def test_a_label_below_a_name_or_with_it_owns_what_follows(body):
    assert [(label.casefold(), values) for label, values in opinions(body)] == [("pros", ("Fast", "Calm"))]


def test_whom_a_tool_is_best_for_is_said_with_its_name():
    page = article(f"{TABLE}<p>Larkspur is best for: writers</p><p>Fennel is best for: teams</p>", "Larkspur vs Fennel")
    assert [tool.best_for for tool in page.side_by_side.tools] == ["writers", "teams"]


def test_a_link_to_prices_in_a_menu_and_prose_below_a_name_say_nothing():
    menu = "<p><a href='/p'>Larkspur pricing</a></p><p><a href='/f'>Fennel pricing</a></p>"
    prose = "<h2>Larkspur pricing</h2><p>It went from $4 to $9 in a year, and $90 was asked of a friend of ours.</p>"
    assert opinions(menu + prose) == []


def test_pros_and_cons_in_one_paragraph_are_two_lists():
    body = "".join(f"<h3>{name}</h3><p>Pros: {name} is fast. Cons: it is large</p>" for name in ("Larkspur", "Fennel"))
    assert opinions(body) == [
        ("Pros", ("Larkspur is fast.", "Fennel is fast.")),
        ("Cons", ("it is large", "it is large")),
    ]


def test_names_right_behind_each_other_head_columns_and_the_last_owns_no_rows():
    cells = ("Fast", "Calm", "Cons", "Large", "Loud")
    heads = "<div><b>Larkspur</b></div><div><b>Fennel</b></div>"
    assert opinions(f"<div>{heads}<div>Pros</div>{''.join(f'<div>{cell}</div>' for cell in cells)}</div>") == []
