"""Pages over 21 nights and hostile words, asked over HTTP without a browser."""

import csv
import io
import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from builders import warehouse_rows as make
from builders.many_nights import HOSTILE, NIGHTS, make_data
from builders.warehouse_files import load_corpus, publish
from builders.warehouse_rows import market, measures
from verdicts.explore.app import make_app
from verdicts.explore.pages.overviews import CATEGORIES_MAX, NEWS
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.named_queries import query_named
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.serving.query import ask


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> DataFolder:
    return make_data(tmp_path_factory.mktemp("many-nights") / "data")


@pytest.fixture(scope="module")
def client(folder):
    with TestClient(make_app(folder), base_url="http://127.0.0.1", headers={"host": "127.0.0.1"}) as made:
        yield made


@pytest.fixture(scope="module")
def rows(folder, tmp_path_factory):
    """The rows of a named question, as `verdicts query` gives them."""
    # A process opens a file once; the pages have the copy itself open.
    path = Path(shutil.copy(find_published(folder.serve), tmp_path_factory.mktemp("asked")))

    def ask_rows(name: str, **values: str) -> list[dict]:
        query = query_named(name)
        answer = ask(path, query.sql, query.bind(values))
        return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]

    return ask_rows


def words(page: str) -> str:
    """What stands on a page, without its tags; a place where a line may end is no space."""
    return unescape(re.sub(r"<[^>]*>", " ", page.replace("<wbr>", "")))


def read_tables(page: str, heading: str) -> list[list[str]]:
    """Cells of the tables below a heading, row by row."""
    _, _, rest = page.partition(f"<h2>{heading}")
    bodies = re.findall(r"<tbody>.*?</tbody>", rest.partition("<h2>")[0], re.DOTALL)
    return [
        [words(cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in re.findall(r"<tr>.*?</tr>", "".join(bodies), re.DOTALL)
    ]


def test_nights_show_what_the_questions_answer(client, rows):
    page = client.get("/nights").text
    nights = rows("outcomes_by_night", nights="30")
    assert len(nights) == NIGHTS
    runs = [[night[part] for part in ("stored", "unchanged", "other", "failed")] for night in nights]
    assert [[int(cell) for cell in row[3:7]] for row in read_tables(page, "Runs")] == runs
    assert max(run[-1] for run in runs) > 10
    hosts = rows("hosts_by_night")
    assert [row[0] for row in read_tables(page, "Hosts, the slowest first")] == [row["host"] for row in hosts]
    assert [len(row["answered_by_night"]) for row in hosts] == [NIGHTS] * 3
    failed = rows("failures_by_host")
    assert sum(row["addresses"] for row in failed) == sum(run[-1] for run in runs)
    assert [int(row[2]) for row in read_tables(page, "What failed")] == [row["addresses"] for row in failed]


@pytest.mark.whole
def test_nights_show_what_the_gates_measured_and_how_columns_drift(tmp_path):
    folder = DataFolder(tmp_path / "measured")
    for load_id, (rows, held) in {"load-1": (make.corpus(), ()), "load-2": (market(), measures())}.items():
        load_corpus(folder.warehouse, rows, load_id, gate_measures=held)
    copy = publish(folder.warehouse, folder.serve, at=make.NIGHT)
    shutil.copy(copy, tmp_path / "asked.duckdb")
    with TestClient(make_app(folder), base_url="http://127.0.0.1") as client:
        page = client.get("/nights").text
    query = query_named("gates_by_night")
    gates = ask(tmp_path / "asked.duckdb", query.sql, query.bind({}))
    lost, state = gates.columns.index("lost"), gates.columns.index("state")
    told = [(row[5], row[6]) for row in read_tables(page, "What the gates measured")]
    assert sorted(told) == sorted((str(row[lost]), row[state]) for row in gates.rows)
    # What passed is folded away and counted.
    unusual, folded = (part.count(">passed</td>") for part in page.partition("<details>")[::2])
    assert (unusual, folded) == (0, len(told) - 1)
    assert f"<summary>{folded} passed</summary>" in page
    query = query_named("fill_rates_by_load")
    fills = ask(tmp_path / "asked.duckdb", query.sql, query.bind({}))
    names = [fills.columns.index(name) for name in ("relation", "column_name", "filled_pct")]
    known = {
        (f"{relation}.{column}", f"{pct:.1f}")
        for relation, column, pct in (tuple(row[place] for place in names) for row in fills.rows)
        if pct is not None
    }
    drifts = read_tables(page, "Rows with a value, by column and load")
    assert drifts
    assert {(row[0], row[place]) for row in drifts for place in (1, 2)} <= known
    moved = [abs(float(row[2]) - float(row[1])) for row in drifts]
    assert moved[0] > 0
    assert moved == sorted(moved, reverse=True)


def test_nights_say_that_a_copy_holds_no_measures(client):
    assert "This copy has no results of gates" in client.get("/nights").text


def test_reviewers_show_what_the_questions_answer(client, rows):
    page = client.get("/reviewers").text
    pairs = rows("reviewers_that_disagree")
    assert pairs
    told = [[row[0], row[1].split()[0], *row[2:]] for row in read_tables(page, "Disagreement")]
    assert told == [
        [
            row["reviewers"],
            f"{row['mean_distance']:.1f}",
            f"{row['opposite_verdicts_pct']:.0f}",
            str(row["reviews_compared"]),
        ]
        for row in pairs
    ]
    leanings = read_tables(page, "Leanings")
    assert [row[1] for row in leanings] == [str(row["reviews"]) for row in rows("reviewer_leanings")]


def test_prices_are_dots_where_they_can_be_told_apart(client, rows):
    page = client.get("/prices").text
    dots = rows("price_dots", categories=str(CATEGORIES_MAX))
    tree = LexborHTMLParser(page)
    assert len(tree.css(".ladder circle.dot")) == len(dots) > 10
    told = [link.css_first("title").text() for link in tree.css(".ladder a")]
    assert [tool for row in dots for tool in row["names"] if not any(tool in says for says in told)] == []
    assert len(page) < 100_000


def test_changes_are_those_since_a_day(client, rows):
    page = client.get("/changes", params={"since": "2026-11-12"}).text
    since = rows("changed_verdicts", since="2026-11-12")
    assert 0 < len(since) < len(rows("changed_verdicts"))
    assert [row[0] for row in read_tables(page, "Changed verdicts")] == [
        f"{row['changed_at']:%Y-%m-%d}" for row in since
    ]
    assert len(read_tables(page, "New tools")) == len(rows("new_tools", since="2026-11-12")) > 0
    refused = client.get("/changes", params={"since": "soon"})
    assert refused.status_code == 400
    assert "soon" in words(refused.text)


def test_the_first_page_has_a_line_for_each_change_of_the_last_night(client, rows):
    night = rows("outcomes_by_night", nights="1")[0]["started_at"]
    told = LexborHTMLParser(client.get("/").text).css(".news li")
    since = f"{night:%Y-%m-%dT%H:%M:%S%z}"
    changed = {
        "Verdict": rows("changed_verdicts", since=since),
        "Price": rows("changed_prices", since=since),
        "New tool": rows("new_tools", since=since),
    }
    for kind, happened in changed.items():
        assert [line.css_first("b").text() for line in told].count(kind) == min(len(happened), NEWS), kind
    assert told


def test_doubts_show_hostile_words_as_words(client, rows):
    page = client.get("/doubts").text
    for heading, kind in (("Not read", "reject"), ("Contradictions", "discrepancy")):
        told = [row["doubts"] for row in rows("doubts_by_rule", kind=kind)]
        assert [int(row[1]) for row in read_tables(page, heading)] == told
    assert HOSTILE[0] in words(page)
    assert "<script" not in page
    assert len(read_tables(page, "Similar reviews that were not merged")) == 1


def test_a_search_marks_the_words_that_it_finds_in_all_their_forms(client):
    page = LexborHTMLParser(client.get("/search", params={"words": "editors script"}).text)
    assert {mark.text().lower() for mark in page.css("mark")} == {"editor", "editors", "script", "scripts"}
    assert '<script>alert("a review")</script>' in page.css_first("main").text()
    assert not page.css("script")
    hits = page.css("article.review")
    assert len(hits) > 5
    assert all(hit.css("a[href^='/tools/']") and hit.css("a[href^='/reviews/']") for hit in hits)


def test_an_answer_of_sql_is_a_table_and_a_file(client):
    sql = "SELECT reviewer, count(*) AS reviews, -1 AS below FROM reviews GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 3"
    page = client.get("/sql", params={"q": sql}).text
    assert unescape(page).count(sql) == 1
    assert page.count("<tr>") == 1 + 3
    file = client.get("/sql.csv", params={"q": sql})
    assert "attachment" in file.headers["content-disposition"]
    head, *lines = csv.reader(io.StringIO(file.content.decode("utf-8-sig")))
    assert head == ["reviewer", "reviews", "below"]
    assert [line[2] for line in lines] == ["-1"] * 3


def test_no_cell_of_a_file_is_a_formula(client):
    file = client.get("/sql.csv", params={"q": "SELECT text FROM reviews WHERE text LIKE '=%' ORDER BY text"}).text
    cells = [line[0] for line in csv.reader(io.StringIO(file))][1:]
    assert cells
    assert all(cell.startswith("'=") for cell in cells)


OWN = [
    {},
    {"sec-fetch-site": "none", "sec-fetch-dest": "document"},
    {"sec-fetch-site": "same-origin", "referer": "http://127.0.0.1/sql"},
    {"origin": "http://127.0.0.1"},
    {"host": "localhost:8765", "referer": "http://localhost:8765"},
]
OTHERS = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "a-new-word"},
    {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:9000"},
    {"origin": "null"},
    {"origin": "https://127.0.0.1"},
    {"referer": "http://127.0.0.1:9000/"},
    {"referer": "http://127.0.0.1.evil.example/"},
    {"referer": "http://[::1"},
    {"host": "localhost", "referer": "http://127.0.0.1/"},
]


@pytest.mark.parametrize("path", ["/sql?q=SELECT+1", "/sql.csv?q=SELECT+1", "/questions/corpus_counts.csv"])
@pytest.mark.share(3)
def test_no_page_of_another_site_makes_a_browser_ask(client, path):
    assert [client.get(path, headers=headers).status_code for headers in OWN] == [200] * len(OWN)
    assert [client.get(path, headers=headers).status_code for headers in OTHERS] == [403] * len(OTHERS)


def test_a_page_of_another_site_links_to_pages_and_loads_none(client):
    def status(dest):
        headers = {"sec-fetch-site": "same-site", "sec-fetch-dest": dest}
        return client.get("/search?words=it", headers=headers).status_code

    assert [status(dest) for dest in ("document", "empty", "image", "iframe", "script")] == [200, 403, 403, 403, 403]


def test_what_is_wrong_with_a_question_stands_below_it(client):
    answer = client.get("/sql", params={"q": "SELECT sore FROM reviews"})
    assert answer.status_code == 400
    assert 'Candidate bindings: "score"' in unescape(answer.text)
    assert ">SELECT sore FROM reviews</textarea>" in answer.text


@pytest.mark.whole
def test_many_rows_are_cut_and_a_file_of_too_many_is_refused(client):
    assert "The first 1,000 rows" in client.get("/sql", params={"q": "FROM range(2000)"}).text
    refused = client.get("/sql.csv", params={"q": "FROM range(100001)"})
    assert refused.status_code == 400
    assert "more than 100,000 rows" in refused.text


def test_a_withdrawn_take_is_named_with_its_day_and_counts_nowhere(tmp_path):
    folder = DataFolder(tmp_path / "data")
    load_corpus(folder.warehouse, market())
    publish(folder.warehouse, folder.serve, at=make.NIGHT)
    dropped = f"/reviews/{make.an_id('dropped')}"
    with TestClient(make_app(folder), base_url="http://127.0.0.1") as client:
        tool, take = (client.get(path).text for path in (f"/tools/{make.an_id('alpha')}", dropped))
        changes = read_tables(client.get("/changes").text, "Changed reviews")
        found = client.get("/search", params={"words": "deleted branch seconds"}).text
    said, _, withdrawn = words(tool).partition("Withdrawn")
    assert "deleted my branch" not in said
    assert "deleted my branch" in withdrawn
    assert "/reviews/" in found
    assert dropped not in found
    assert "withdrawn on 2026-11-21" in " ".join(words(take).split())
    assert [(row[0], " ".join(row[3].split())) for row in changes] == [
        ("2026-11-22", "returned: score 45 → 65 ▼ skip → ▲ ship (other words)"),
        ("2026-11-21", "withdrawn"),
        ("2026-11-21", "withdrawn"),
    ]
