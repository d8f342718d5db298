"""What a title promises, and which of a page's words can be tools: kinds, places, criteria and dishes are none."""

import pytest

from builders.snapshots import article, make_table

RATED = (["Kite", "9.2/10", "$9"], ["Printer", "9.0/10", "$12"], ["Ribbon", "8.5/10", "$7"])


def names(body, title):
    compared = article(body, title).side_by_side
    return [tool.name for tool in compared.tools] if compared else []


@pytest.mark.parametrize(
    ("title", "first", "rows"),
    [
        (
            "Lithium vs Lead: which type of cell?",
            ["Feature", "Lithium", "Lead"],
            [["Price", "$9", "$7"], ["Weight", "1", "2"]],
        ),
        ("The 3 best cities for kites", ["City", "Rating", "Price"], RATED),
        ("Larkspur Review 2026: Best Kite Printer?", ["Criterion", "Score", "Price"], RATED),
        ("Cold vs Flu", ["Symptom", "Cold", "Flu"], [["Fever", "Rare", "Common"], ["Sneezing", "Common", "Rare"]]),
    ],
)
def test_kinds_places_criteria_and_illnesses_are_no_tools(title, first, rows):
    assert names(make_table(first, *rows), title) == []


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("Larkspur vs Fennel", ["", "Larkspur", "Fennel"]),
        ("紙凧プリンター徹底比較", ["項目", "Larkspur", "Fennel"]),
        ("Comparatif des imprimantes", ["Critère", "Larkspur", "Fennel"]),
    ],
)
def test_a_title_that_compares_and_a_corner_name_the_columns_whatever_their_attributes(title, first):
    rows = (["Mood", "calm", "brisk"], ["Wind", "light", "strong"], ["Tail", "long", "short"])
    assert names(make_table(first, *rows), title) == ["Larkspur", "Fennel"]


def test_a_wide_matrix_with_groups_over_an_empty_row_names_its_columns():
    tools = ("Larkspur", "Fennel", "Bobweight", "Trueline", "Sedge")
    groups = "<tr><th></th><th colspan=3>Open</th><th colspan=2>Closed</th></tr>"
    heads = "<tr><th></th>" + "".join(f"<th>{tool}</th>" for tool in tools) + "</tr><tr>" + "<td></td>" * 6 + "</tr>"
    rows = "".join(f"<tr><td>Wind {row}</td>" + "<td>fair</td>" * 5 + "</tr>" for row in range(12))
    assert names(f"<table>{groups}{heads}{rows}</table>", "Comparison of kite printers") == [*tools]


def test_the_names_of_a_title_bound_those_of_the_sections():
    rows = (["Rating", "4.7/5", "4.5/5"], ["Price", "$9/mo", "$12/mo"], ["Founded", "2022", "2023"])
    parts = "".join(
        f"<h2>{name} — Pros &amp; Cons</h2><h3>Pros</h3><ul><li>{name} is calm</li></ul>"
        "<h3>Cons</h3><ul><li>Slow</li></ul>"
        for name in ("Larkspur", "Fennel")
    )
    body = f"<h2>Quick Overview</h2>{make_table(['Feature', 'Larkspur', 'Fennel'], *rows)}{parts}"
    assert names(body, "Larkspur vs Fennel 2026: Which Is Better?") == ["Larkspur", "Fennel"]


def test_what_sentences_write_without_capital_letters_is_an_idea():
    rows = (["Price", "$9", "$12"], ["Hours", "2", "3"])
    body = "<p>We compared group classes and private lessons in a kite school.</p>"
    assert (
        names(body + make_table(["", "Group Classes", "Private Lessons"], *rows), "Group Classes vs Private Lessons")
        == []
    )
    assert names(body + make_table(["", "Larkspur", "Fennel"], *rows), "Larkspur vs Fennel") == ["Larkspur", "Fennel"]
