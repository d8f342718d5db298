"""The pages in this process, over a corpus made by hand that holds words meant to break a page."""

import csv
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import duckdb
import pytest
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from builders import warehouse_rows as make
from builders.command import run_here
from builders.warehouse_files import load_corpus, publish
from verdicts.corpus.rows.correction_rows import CorrectionRow
from verdicts.demo_site.site_pages import INVENTED
from verdicts.explore.app import HEADERS, make_app
from verdicts.explore.copies import Copies
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.named_queries import MAIN_QUESTIONS, TOPICS, list_queries, queries_by_topic
from verdicts.warehouse.serving.published import find_published, point_to

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script></bdi></td> \u202e{{ 7 * 7 }}'
ALPHA, BETA = make.an_id("alpha"), make.an_id("beta")
GAMMA = make.an_id("gamma")
PAGE = make.an_id("alpha-vs-beta")


def browser(folder: DataFolder) -> TestClient:
    return TestClient(make_app(folder), base_url="http://127.0.0.1", follow_redirects=False)


def make_folder(root: Path, rows: dict[str, list[Any]] | None, load_id: str = "load-1", **changes: Any) -> DataFolder:
    folder = DataFolder(root)
    load_corpus(folder.warehouse, rows, load_id, **changes)
    publish(folder.warehouse, folder.serve, at=make.NIGHT)
    return folder


def hostile_rows() -> dict[str, list[Any]]:
    rows = make.corpus()
    rows["tools"][0] = replace(rows["tools"][0], tagline=HOSTILE, description=HOSTILE, category=HOSTILE)
    rows["tools"][2] = replace(rows["tools"][2], tagline="=1+1")
    rows["reviews"] = [replace(review, text=f"{HOSTILE} {review.text}") for review in rows["reviews"]]
    rows["pages"][0] = replace(rows["pages"][0], title=HOSTILE, url="javascript:alert(3)")
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    return make_folder(tmp_path_factory.mktemp("explored") / "data", hostile_rows(), load_id="load-1")


@pytest.fixture(scope="module")
def site(folder: DataFolder) -> Iterator[TestClient]:
    with browser(folder) as client:
        yield client


@pytest.fixture(scope="module")
def take() -> str:
    return make.corpus()["reviews"][0].review_id


PAGES = [
    "/",
    "/tools",
    "/tools?sort=spread&price_from=0&category=Coding%20Agents",
    "/reviews?sort=lowest",
    "/pages?limit=1&offset=1",
    f"/tools/{ALPHA}",
    f"/tools/{BETA}",
    "/tools/Twin",
    "/reviews/REVIEW",
    f"/pages/{PAGE}",
    "/search?words=it",
    "/compare",
    f"/compare?one={BETA}&other={GAMMA}",
    "/id/",
    "/questions",
    "/questions/reviewer_leanings",
    "/questions/list_tools?limit=2",
]


def addresses(take: str) -> list[str]:
    return [page.replace("REVIEW", take) for page in PAGES if page != "/id/"]


def list_numbers(text: str) -> set[str]:
    """Numbers of an answer in every form that a page may give them."""
    found = set()
    for cell in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text):
        value = float(cell)
        found |= {f"{value:,.{digits}f}" for digits in range(4)} | {cell, f"{value:,.2f}".rstrip("0").rstrip(".")}
    return found


@pytest.mark.whole
def test_every_number_of_a_page_is_in_the_answer_of_a_question_that_the_page_names(site: TestClient, take: str) -> None:
    checked = 0
    for address in addresses(take):
        tree = LexborHTMLParser(site.get(address).text)
        answers = [
            link.attributes["href"] for link in tree.css("p.source a") if ".csv" in (link.attributes["href"] or "")
        ]
        known = set().union(*(list_numbers(site.get(answer or "").text) for answer in answers))
        for place in tree.css("td.n, dd, .score, svg text.value"):
            for number in re.findall(r"\d[\d,]*(?:\.\d+)?", place.text()):
                assert number in known, f"{number} of {address}"
                checked += 1
    assert checked > 60


def test_the_answer_of_a_question_is_what_the_command_gives(
    folder: DataFolder, site: TestClient, tmp_path: Path
) -> None:
    # DuckDB opens a file once a process for all; the command has a copy of its own.
    add_copy(folder, DataFolder(tmp_path), "load-1")
    asked = ("query", "tool_reviews", f"tool={ALPHA}", "--format", "csv", "--safe")
    done = run_here(*asked, "--data", tmp_path, cwd=tmp_path)
    assert done.stdout == site.get(f"/questions/tool_reviews.csv?tool={ALPHA}").text


def test_questions_stand_below_their_topic_which_their_pages_lead_back_to(site: TestClient) -> None:
    tree = LexborHTMLParser(site.get("/questions").text)
    listed = {
        section.attributes["id"]: [name.text() for name in section.css(".code")] for section in tree.css("section")
    }
    names = {topic: [query.name for query in queries] for topic, queries in queries_by_topic()}
    assert listed == {topic: sorted(asked, key=lambda one: one not in MAIN_QUESTIONS) for topic, asked in names.items()}
    behind = {name.text() for name in tree.css("details .code")}
    assert behind == {query.name for query in list_queries()} - MAIN_QUESTIONS
    leading = {link.attributes["href"]: link.text() for link in tree.css(".topics a")}
    assert leading == {f"#{topic}": heading for topic, heading in TOPICS.items()}
    back = LexborHTMLParser(site.get("/questions/reviewer_leanings").text).css_first(".up a")
    assert (back.attributes["href"], back.text()) == ("/questions#panel", "Panel and scores")


def test_words_of_a_page_stay_words(site: TestClient, take: str) -> None:
    shown = 0
    for address in addresses(take):
        answer = site.get(address)
        tree = LexborHTMLParser(answer.text)
        assert not tree.css("script, img, iframe, object, [style], [onerror], [onmouseover]"), address
        assert not tree.css("a[href^=javascript]"), address
        assert "49" not in answer.text.partition("{{ 7 * 7 }}")[2][:40]
        shown += "&lt;script&gt;alert(2)" in answer.text
    assert shown >= 5


@pytest.mark.whole
def test_nothing_is_asked_for_from_outside_and_every_link_within_leads_somewhere(site: TestClient, take: str) -> None:
    later = {"/reviewers", "/prices", "/changes", "/nights", "/doubts", "/sql"}
    seen: set[str] = set()
    for address in addresses(take):
        tree = LexborHTMLParser(site.get(address).text)
        assert [link.attributes["href"] for link in tree.css("link")] == ["data:,", "/explore.css"]
        seen |= {link.attributes["href"] or "" for link in tree.css("a, form") if "href" in link.attributes}
    within = {link for link in seen if link.startswith("/") and link.partition("?")[0] not in later}
    assert {link: site.get(link).status_code for link in within} == {
        link: 300 if link.endswith("/Twin") else 200 for link in within
    }


def test_every_answer_has_the_headers_and_a_strange_host_none_of_the_corpus(site: TestClient, take: str) -> None:
    for address in (*addresses(take), "/nowhere", "/explore.css", "/questions/tool_reviews.csv"):
        answer = site.get(address)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, address
    strange = site.get("/", headers={"host": "evil.example"})
    assert strange.status_code == 400
    assert "verdicts" not in strange.text
    assert site.get("/", headers={"host": "localhost:8765"}).status_code == 200
    posted = site.post("/tools.json")
    assert (posted.status_code, {*posted.headers["allow"].split(", ")}, [*posted.json()]) == (
        405,
        {"GET", "HEAD"},
        ["error"],
    )


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("/nowhere", 404, "There is no such page."),
        ("/tools/none of that name", 404, "No tool has the id, slug or name none of that name."),
        ("/reviews/ffffffffffff", 404, "No review, tool or page has an id that begins ffffffffffff."),
        ("/pages/zz", 404, "no page has the address, id or title &#39;zz&#39;"),
        (f"/reviews/{ALPHA}", 404, f"No review has an id that begins {ALPHA}."),
        ("/id/<script>", 404, "No tool has the id, slug or name &lt;script&gt;."),
        ("/questions/meaning_of_life", 404, "No question is called meaning_of_life."),
        ("/questions/meaning_of_life.csv", 404, "No question is called meaning_of_life."),
        ("/questions/contested?sort=name", 400, "has no parameter &#39;sort&#39;"),
        ("/questions/contested?limit=many", 400, "many"),
        ("/questions/contested.csv?limit=many", 400, "many"),
        ("/questions/contested?name=x&rows_max=1", 400, "has no parameter"),
        ("/questions/panel_and_other_sites", 200, "No rows: this corpus has the pages of one site"),
        ("/tools?limit=0", 400, "0 is not a whole number from 1 to 1,000"),
        ("/tools?offset=١", 400, "١ is not a whole number"),
        ("/tools?offset=70", 200, "The list ends before row 71."),
        ("/tools?sort=id", 400, "sort cannot be &#39;id&#39;; it can be mean, panel,"),
        ("/reviews?score_from=good", 400, "score_from cannot be &#39;good&#39;; it is a number such as 12.5"),
        ("/reviews?reviewer=skeptik", 400, "did you mean Skeptic? It can be Builder, Skeptic,"),
        ("/pages?category=Codng+agents", 400, "did you mean Coding Agents? It can be"),
        (
            "/reviews?reviewer=Creator&score_to=1",
            200,
            "No review for reviewer <bdi>Creator</bdi>, score to <bdi>1</bdi>.",
        ),
        ("/pages?colour=red", 400, "has no parameter &#39;colour&#39;; it takes words, kind,"),
        ("/search?words=%ff", 200, "No review has any of these words."),
        ("/search?words=%00", 400, "bytes that are not UTF-8"),
    ],
)
def test_what_is_not_there_is_a_sentence(site: TestClient, address: str, status: int, sentence: str) -> None:
    answer = site.get(address)
    assert (answer.status_code, sentence in answer.text) == (status, True), answer.text
    assert "Traceback" not in answer.text


def test_a_tool_is_found_by_id_beginning_slug_and_name_and_its_namesakes_are_listed(site: TestClient) -> None:
    for wanted in (ALPHA[:8], "alpha", "ALPHA"):
        assert site.get(f"/tools/{wanted}").headers["location"] == f"/tools/{ALPHA}"
    several = site.get("/tools/Twin")
    assert several.status_code == 300
    assert {f"/tools/{BETA}", f"/tools/{make.an_id('gamma')}"} <= {
        link.attributes["href"] for link in LexborHTMLParser(several.text).css("td a")
    }
    assert site.get(f"/id/{PAGE[:12]}").headers["location"] == f"/pages/{PAGE}"
    gamma = make.an_id("alpha-vs-gamma")
    for wanted in (gamma[:8], f"http://{make.HOST}/compare/alpha-vs-gamma", "compare/alpha-vs-gamma"):
        assert site.get(f"/pages/{wanted}").headers["location"] == f"/pages/{gamma}"


def test_a_facet_leads_to_the_rows_that_it_counts_and_back(site: TestClient) -> None:
    for listed in ("/reviews", "/pages", "/tools?sort=name"):
        rows = set(list_ids(site, listed))
        for option in LexborHTMLParser(site.get(listed).text).css(".option:has(span)"):
            link = option.css_first("a").attributes["href"] or ""
            assert len(list_ids(site, link)) == int(option.css_first(".muted").text()), link
            tree = LexborHTMLParser(site.get(link).text)
            kept = {
                f"{one.attributes['name']}={quote_plus(one.attributes.get('value') or '')}"
                for one in tree.css("form input")
            }
            assert set(link.partition("?")[2].split("&")) <= kept
            chosen = tree.css_first(".option a[aria-current]")
            assert set(list_ids(site, chosen.attributes["href"] or "")) == rows, link


def test_a_filter_is_chosen_in_any_case(site: TestClient) -> None:
    chosen = LexborHTMLParser(site.get("/reviews?reviewer=BUILDER&sort=Name").text).css(".facets a[aria-current]")
    assert [one.text().strip() for one in chosen] == ["× Builder", "tool"]


def list_ids(site: TestClient, address: str) -> list[str]:
    """The ids of a list, from its JSON."""
    path, _, query = address.partition("?")
    return [
        row[{"/reviews": "review_id", "/pages": "page_id", "/tools": "tool_id"}[path]]
        for row in list_pages(site, f"{path}.json?{query}")
    ]


def list_pages(site: TestClient, address: str | None) -> list[dict[str, Any]]:
    """The rows of an answer as JSON, from page to page."""
    rows = []
    while address:
        answer = site.get(address)
        assert answer.status_code == 200, answer.text
        rows += answer.json()["rows"]
        address = answer.json()["next"]
    return rows


def test_an_answer_read_page_by_page_has_the_rows_of_its_csv(site: TestClient) -> None:
    for path in (
        "/reviews",
        "/pages",
        "/tools",
        "/questions/score_histogram",
        "/questions/tool_reviews",
        "/questions/relations",
    ):
        rows = list_pages(site, f"{path}.json?limit=1" if "relations" not in path else f"{path}.json?limit=400")
        lines = [*csv.DictReader(site.get(f"{path}.csv").content.decode("utf-8-sig").splitlines())]
        assert len(rows) == len(lines), path
        assert [*rows[0]] == [*lines[0]]


def test_every_page_has_its_answers_as_json_with_the_question_of_each(site: TestClient, take: str) -> None:
    paths = ("/index", "/reviewers", "/prices", "/changes", "/nights", "/doubts", "/search", f"/tools/{ALPHA}")
    for path in (*paths, f"/reviews/{take}", f"/pages/{PAGE}"):
        given = site.get(f"{path}.json?words=it" if path == "/search" else f"{path}.json")
        assert given.headers["content-type"] == "application/json"
        parts = given.json()
        assert parts["answers"], path
        for part, question in parts["answers"].items():
            assert parts[part] == list_pages(site, question)[: len(parts[part])], question
    assert site.get(f"/tools/{ALPHA}.json").json()["card"][0]["description"] == HOSTILE
    assert site.get("/tools/alpha.json").json() == site.get(f"/tools/{ALPHA}.json").json()
    assert site.get("/sql.json?q=SELECT 'nan'::DOUBLE AS a, 1 AS a, DATE '2026-11-01' AS d").json()["rows"] == [
        {"a": None, "a_1": 1, "d": "2026-11-01"}
    ]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nowhere.json", 404),
        ("/reviews/ffff.json", 404),
        ("/reviews.json?limit=x", 400),
        ("/sql.json", 400),
        ("/tools/alpa.json", 404),
    ],
)
def test_an_error_is_json_where_json_was_asked_for(site: TestClient, address: str, status: int) -> None:
    answer = site.get(address)
    assert (answer.status_code, [*answer.json()]) == (status, ["error"])


def test_words_that_name_one_record_lead_there(site: TestClient, take: str) -> None:
    gamma = make.an_id("alpha-vs-gamma")
    named = {
        f"http://{make.HOST}/compare/alpha-vs-gamma": f"/pages/{gamma}",
        "/compare/alpha-vs-gamma": f"/pages/{gamma}",
        gamma[:10]: f"/pages/{gamma}",
        take: f"/reviews/{take}",
        ALPHA: f"/tools/{ALPHA}",
    }
    for words, record in named.items():
        assert site.get("/search", params={"words": words}).headers["location"] == record, words
        assert site.get(f"/id/{words}").headers["location"] == record, words
        assert site.get("/search.json", params={"words": words}).headers["location"] == f"{record}.json", words
    assert site.get("/id/alpha").headers["location"] == f"/tools/{ALPHA}"
    assert "Alpha" in site.get("/search?words=alpha").text


def test_an_empty_warehouse_has_pages_that_say_so(tmp_path: Path) -> None:
    with browser(make_folder(tmp_path, {}, crawls=[], fetches=[])) as site:
        for address in (
            "/",
            "/tools",
            "/reviews",
            "/pages",
            "/search?words=it",
            "/questions",
            "/questions/score_histogram",
        ):
            assert site.get(address).status_code == 200, address
        assert "No tool." in site.get("/tools").text
        assert site.get(f"/tools/{ALPHA}").status_code == 404


def add_copy(of: DataFolder, to: DataFolder, load_id: str) -> Path:
    """A copy as a night publishes it, without the night."""
    to.serve.mkdir(parents=True, exist_ok=True)
    path = Path(shutil.copyfile(find_published(of.serve), to.serve / f"corpus-{load_id}.duckdb"))
    point_to(path)
    return path


def test_a_page_follows_the_pointer_and_says_when_there_is_nothing(folder: DataFolder, tmp_path: Path) -> None:
    mine = DataFolder(tmp_path)
    with browser(mine) as site:
        nothing = site.get("/questions")
        assert (nothing.status_code, "verdicts run" in nothing.text) == (503, True)
        add_copy(folder, mine, "load-1")
        first = site.get("/questions")
        assert site.get("/questions", headers={"if-none-match": first.headers["etag"]}).status_code == 304
        copy = add_copy(folder, mine, "load-2")
        second = site.get("/questions", headers={"if-none-match": first.headers["etag"]})
        assert (second.status_code, copy.name in second.text) == (200, True)
        copy.unlink()
        gone = site.get("/tools")
        assert (gone.status_code, "is missing; run &#39;verdicts publish&#39;" in gone.text) == (503, True)
        add_copy(folder, mine, "load-4").write_bytes(b"no database")
        broken = site.get("/tools")
        assert (broken.status_code, "cannot be opened as a database" in broken.text) == (503, True)
        add_copy(folder, mine, "load-3")
        assert site.get("/tools").status_code == 200


def test_a_page_of_the_program_that_was_started_before_is_made_anew(
    site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"if-none-match": site.get("/questions").headers["etag"]}
    assert site.get("/questions", headers=kept).status_code == 304
    monkeypatch.setattr("verdicts.explore.app._STARTED", "later")
    assert site.get("/questions", headers=kept).status_code == 200


def test_a_copy_of_an_older_version_is_to_be_published_again(folder: DataFolder, tmp_path: Path) -> None:
    mine = DataFolder(tmp_path)
    copy = add_copy(folder, mine, "load-1")
    copy.chmod(0o644)
    with duckdb.connect(copy) as connection:
        connection.execute("DROP TABLE matches; DROP MACRO schema_digest")
    said = "was published by an older version of verdicts and lacks what is asked for; 'verdicts publish' mends it"
    with browser(mine) as site:
        for address in ("/questions/tool_opponents", "/questions/tool_opponents.csv", f"/tools/{ALPHA}"):
            page = site.get(address)
            assert (page.status_code, said in unescape(page.text)) == (503, True), address
        assert site.get("/questions/corpus_counts").status_code == 200
    done = run_here("query", "tool_opponents", "--data", tmp_path, cwd=tmp_path)
    command = f"'verdicts publish --data {tmp_path}'"
    assert (done.returncode, done.stderr) == (
        1,
        f"verdicts: {copy.name} {said}\n".replace("'verdicts publish'", command),
    )


def test_what_a_question_of_this_version_lacks_is_not_laid_to_another(folder: DataFolder, tmp_path: Path) -> None:
    copy = add_copy(folder, DataFolder(tmp_path), "load-1")
    copy.chmod(0o644)
    with duckdb.connect(copy) as connection:
        connection.execute("DROP TABLE matches")
    with browser(DataFolder(tmp_path)) as site:
        page = site.get("/questions/tool_opponents")
        assert (page.status_code, "Table with name matches does not exist" in page.text) == (400, True)


def test_a_page_that_was_begun_is_finished_from_its_own_copy_which_is_then_let_go(
    folder: DataFolder, tmp_path: Path
) -> None:
    mine = DataFolder(tmp_path)
    add_copy(folder, mine, "load-1")
    copies = Copies(mine.serve)
    with copies.present() as old:
        add_copy(folder, mine, "load-2")
        with copies.present() as new:
            assert new.path != old.path
            assert old.connection.execute("SELECT count(*) FROM tools").fetchall() == [(3,)]
        assert is_open(old.path)
    assert not is_open(old.path)
    assert is_open(new.path)
    copies.close()
    assert not is_open(new.path)


def is_open(path: Path) -> bool:
    return any(Path(link).resolve() == path.resolve() for link in Path("/proc/self/fd").iterdir() if link.exists())


@pytest.mark.whole
def test_a_take_is_said_once_beside_the_words_that_were_read_or_why_they_are_not_there(
    six_pages: Path, site: TestClient, take: str
) -> None:
    assert "The raw store has no such record here." in site.get(f"/reviews/{take}").text
    with browser(DataFolder(six_pages / "data")) as of_pages:
        row = of_pages.get("/questions/tool_reviews.csv?limit=1").text.splitlines()[1]
        shown = LexborHTMLParser(of_pages.get(f"/reviews/{row.rpartition(',')[2]}").text)
        words = shown.css_first("blockquote").text()
        assert words
        assert shown.css_first("main").text().count(words) == 1
        assert ["[…]" in place.text() for place in shown.css("pre.source-words")].count(True) > 0
        places = of_pages.get(f"/questions/review_appearances.csv?review={row.rpartition(',')[2]}").text
        assert {link.attributes["href"] for link in shown.css(".place a")} == {
            f"/pages/{line.rpartition(',')[2]}" for line in places.splitlines()[1:]
        }


def test_the_page_of_a_record_says_in_one_line_what_a_person_decided(tmp_path: Path) -> None:
    rows = make.corpus()
    review = rows["reviews"][0]
    made_at, about = make.NIGHT, (review.review_id, review.tool_id)
    said = CorrectionRow(
        correction_id=make.an_id("decision"),
        kind="review",
        relation="reviews",
        row_key=f"review_id={review.review_id}",
        column_name="tool_id",
        subject="'A review…' on Beta",
        value_before=BETA,
        value_after=review.tool_id,
        outcome="applied",
        rows_changed=1,
        detail=None,
        about=about,
        made_by="Ada",
        made_at=made_at,
        reason=HOSTILE,
    )
    rows["corrections"] = [said]
    rows["reviews"][0] = replace(review, attribution="corrected")
    rows["appearances"] = [
        replace(row, attribution="corrected") if row.review_id == review.review_id else row
        for row in rows["appearances"]
    ]
    with browser(make_folder(tmp_path / "data", rows, load_id="load-2")) as client:
        page_id = next(row.page_id for row in rows["appearances"] if row.review_id == review.review_id)
        for address in (f"/reviews/{review.review_id}", f"/tools/{review.tool_id}", f"/pages/{page_id}"):
            page = LexborHTMLParser(client.get(address).text)
            lines = [line.text() for line in page.css("p") if line.text().startswith("Corrected: ")]
            assert len(lines) == 1, address
            assert f"Ada, {made_at:%Y-%m-%d}: {HOSTILE}" in lines[0]
            assert not page.css("img, script")


OUTSIDE = ("pages", "mentions", "documents", "comparison_rows", "compared_grids", "comparison_facts")


def test_a_corpus_without_a_panel_begins_with_its_pages_and_leads_to_each(tmp_path: Path) -> None:
    rows = {table: of_table for table, of_table in make.corpus().items() if table in OUTSIDE}
    rows["pages"] = [replace(page, host="lists.example") for page in rows["pages"] if page.kind != "panel"]
    rows["mentions"] = [replace(row, tool_id=None, known_by=None) for row in rows["mentions"]]
    with browser(make_folder(tmp_path / "data", rows)) as client:
        home = client.get("/").text
        assert "<h1>What pages say about tools</h1>" in home
        assert "No panel is divided" not in home
        assert INVENTED not in home, "only the demo site's facts are"
        page = client.get(LexborHTMLParser(home).css_first("td.name a").attributes["href"] or "")
        assert [cell.text() for cell in LexborHTMLParser(page.text).css("table.values :is(th, td)")] == [
            "",
            "Alpha",
            "Licence",
            "MIT",
        ]
        found = client.get("/search", params={"words": "beta"}).text
        assert 'href="/mentioned/beta"' in found
        assert f'href="/pages/{make.an_id("news")}"' in found
        for path in (f"/search?words={make.NEWS}", f"/pages/{make.NEWS}"):
            assert client.get(path).headers["location"] == f"/pages/{make.an_id('news')}"
        # No page speaks of a panel that is not there.
        menu = [link.text() for link in LexborHTMLParser(home).css("header a")]
        assert menu == ["verdicts", "Tools", "Compare", "Changes", "Ask"]
        assert client.get("/tools/Beta").headers["location"] == "/mentioned/beta"
        assert "9 USD" in client.get("/mentioned/alpha").text
        assert client.get("/mentioned/nothing").status_code == 404


def heading(client: TestClient, path: str) -> str:
    return " ".join(LexborHTMLParser(client.get(path).text).css_first("h1").text().split())


def test_a_heading_says_the_verdict(site: TestClient, take: str) -> None:
    card = site.get(f"/reviews/{take}.json").json()["card"][0]
    said = f"{card['reviewer']} on {card['name']}: "
    assert heading(site, f"/reviews/{take}").startswith(said)
    assert heading(site, f"/reviews/{take}").endswith(f"{card['verdict']}, {card['score']}")
    one, other = site.get(f"/pages/{PAGE}.json").json()["card"]
    words = heading(site, f"/pages/{PAGE}").replace("\xa0", " ")
    assert words.startswith(f"{one['name']} vs {other['name']}: ")
    for side in (one, other):
        assert f"{side['panel_verdict']} {side['panel_ship_pct']} %" in words


def test_any_two_tools_stand_side_by_side(site: TestClient) -> None:
    """Beta and Gamma are both called Twin, and no page compares them."""
    page = site.get("/compare", params={"one": "beta", "other": "gamma"})
    said = LexborHTMLParser(page.text).css_first("main").text()
    assert "No page of a panel compares these two" in said
    for tool in (BETA, GAMMA):
        reviews = site.get(f"/questions/tool_reviews.json?tool={tool}").json()["rows"]
        assert reviews
        assert all(review["text"].split()[-1] in said for review in reviews)
    assert "The page that compares them" in site.get(f"/compare?one={ALPHA}&other={BETA}").text


def test_a_name_of_several_tools_is_chosen_from_before_they_are_compared(site: TestClient) -> None:
    several = site.get("/compare", params={"one": "Alpha", "other": "Twin"})
    links = [link.attributes["href"] or "" for link in LexborHTMLParser(several.text).css("td a")]
    assert (several.status_code, len(links)) == (300, 2)
    assert {site.get(link).status_code for link in links} == {200}
    assert site.get("/compare?one=alpha&other=Alpha").status_code == 400
    assert site.get("/compare?one=alpha&other=no+such+tool").status_code == 404


def test_the_head_of_a_column_sorts_the_list(site: TestClient) -> None:
    heads = LexborHTMLParser(site.get("/tools").text).css("table.tools th a")
    assert {"Panel %", "Community %", "Price", "Changed"} <= {head.text() for head in heads}
    for head in heads:
        tree = LexborHTMLParser(site.get(head.attributes["href"] or "").text)
        (sorted_by,) = tree.css("th[aria-sort]")
        assert sorted_by.css_first("a").text() == head.text()
        # Its own head turns the order round.
        other_way = sorted_by.css_first("a").attributes["href"] or ""
        ids, turned = (list_ids(site, link) for link in (head.attributes["href"] or "", other_way))
        assert {*ids} == {*turned}
        assert ids[0] != turned[0] or head.text() in {"Changed", "Community %"}, head.text()
        (turned_by,) = LexborHTMLParser(site.get(other_way).text).css("th[aria-sort]")
        assert turned_by.attributes["aria-sort"] != sorted_by.attributes["aria-sort"]


def test_the_tool_that_is_ahead_is_marked_in_the_list_of_pages(site: TestClient) -> None:
    rows = {row["page_id"]: row for row in site.get("/pages.json").json()["rows"] if row["panel_a_pct"] is not None}
    tree = LexborHTMLParser(site.get("/pages").text)
    marked = {}
    for line in tree.css("tbody tr"):
        page_id = (line.css_first("a").attributes["href"] or "").rpartition("/")[2]
        marked[page_id] = [one.css_first("b").text() for one in line.css(".matched") if one.css(".ahead")]
    for page_id, row in rows.items():
        a, b = row["panel_a_pct"], row["panel_b_pct"]
        ahead = [row["tool_a_name"]] if a > b else [row["tool_b_name"]] if b > a else []
        assert marked[page_id] == ahead
    assert any(marked.values())
