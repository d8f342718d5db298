"""What is known of an address follows from its own observations alone."""

from dataclasses import replace

from builders.normalize_pages import address, labelled, observed, page, tool
from builders.page_nights import batch_rows, keyed
from extract.model.records import ComparedTool, Document, OutsideReview, Reject, SideBySide
from normalize.rows.address_round import address_rows

TABLES = (
    "documents",
    "compared_tools",
    "described_tools",
    "comparison_rows",
    "comparison_facts",
    "compared_grids",
    "outside_reviews",
    "rejects",
)


def document(rating, text="A text."):
    tables = SideBySide("schema_org", (ComparedTool("Alpha", rating=rating, rating_best="5", ratings="12"),), (), ())
    reviews = (OutsideReview(-1, "Someone", rating, "5", None, "Words."),)
    return Document("A title", None, None, text, replace(tables, reviews=reviews))


def test_rows_of_addresses_are_those_of_everything():
    alpha, beta = tool("alpha"), tool("beta")
    broken = page(alpha, beta)
    broken = replace(broken, cards=(replace(broken.cards[0], panel_ship="140%"), broken.cards[1]))
    everything = [
        observed(document("4"), "https://one.example/", night=1),
        observed(document("4.5", "Another."), "https://one.example/", night=2),
        observed(document("99"), "https://two.example/", night=1),
        observed(document("99"), "https://three.example/", night=1),
        observed(Reject("empty", "nothing"), "https://two.example/", night=3),
        observed(broken, address(alpha, beta), night=2),
        labelled(alpha, beta, night=1),
    ]
    expected = batch_rows(everything, (), {})
    assert {row.reason for row in expected["rejects"]} == {"empty", "broken_percent", "broken_rating", "out_of_range"}
    rows = {table: {} for table in TABLES}
    for url in {item.url for item in everything}:
        own = [item for item in everything if item.url == url]
        of_address = address_rows([*own[::-1], *own])
        for table in TABLES:
            assert {row.url for row in of_address[table]} <= {url}
            rows[table] |= keyed(table, of_address[table])
    assert rows == {table: keyed(table, expected.get(table, ())) for table in TABLES}
