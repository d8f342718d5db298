"""What an analyst asks of tools, pages and prices, on a small corpus reckoned by hand."""

import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import answer_frame, load_corpus
from builders.warehouse_files import ask_named as answer
from verdicts.corpus.rows.runs import RejectRow
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.serving.name_lookup import the_page
from verdicts.warehouse.serving.query import open_for_questions, read_frame
from verdicts.warehouse.serving.question_answers import ask_search
from verdicts.warehouse.storage.connection import open_for_writing
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

SAID = {
    "one": ("alpha", "Builder", "skip", "Then it crashed"),
    "two": ("gamma", "Builder", "skip", "Crashes, then stalls. It has no public API"),
    "three": ("gamma", "Builder", "skip", "A crash a day, then a stall, for which we pay"),
    "four": ("gamma", "Builder", "skip", "Stalled for a minute on a laptop"),
    "five": ("beta", "Builder", "skip", "There is no API. Page two"),
    "six": ("gamma", "Builder", "ship", "Worth what we pay, and an API"),
    "seven": ("gamma", "Builder", "ship", "Fast, calm and in front of every API"),
    "eight": ("gamma", "Builder", "ship", "Never in the way"),
    "nine": ("alpha", "Skeptic", "skip", "Costly"),
    "ten": ("beta", "Skeptic", "skip", "Costly, too"),
    "eleven": ("gamma", "Skeptic", "skip", "As costly as ever"),
}
"""Reviews: on which tool, by which reviewer, with which verdict, in which words."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("analyst") / "corpus.duckdb"
    rows = make.corpus()
    rows["tools"] = [replace(tool, category_group="Coding Agents") for tool in rows["tools"]]
    rows["reviews"] += [
        make.review(word, tool, reviewer=reviewer, verdict=verdict, text=text, score=None)
        for word, (tool, reviewer, verdict, text) in SAID.items()
    ]
    rows["appearances"] += [
        make.appearance("alpha-vs-gamma", word, 10 + place, text=text)
        for place, (word, (*_, text)) in enumerate(SAID.items())
    ]
    rows["rejects"] = [
        RejectRow("https://example.org/prices", "extract", "no_panel", "nothing is set side by side", "demo", 0)
    ]
    load_corpus(path, rows)
    with open_for_writing(path) as connection:
        bring_index_up_to_date(connection)
    return path


def test_tools_say_share_mean_verdict_and_price_without_a_join(corpus):
    told = "SELECT name, panel_verdict, panel_ship_pct, mean_score, cheapest_monthly FROM tools WHERE slug = 'alpha'"
    assert answer_frame(corpus, told).rows() == [("Alpha", "ship", 75, 70.0, 0.0)]


def complaints(corpus, **given):
    return answer(corpus, "complaints", **given).select("word", "skips", "ships").rows()


def test_forms_of_one_word_are_one_complaint_with_the_sentences_that_have_it(corpus):
    found = answer(corpus, "complaints", sure="1").row(0, named=True)
    assert (found["word"], found["skips"], found["ships"], found["tools"]) == ("crashed", 3, 0, 2)
    assert found["examples"] == ["Alpha, Builder: Then it crashed", "Twin, Builder: Crashes, then stalls"]


def test_a_word_of_one_tool_or_of_both_camps_is_no_complaint_and_a_denial_is_one(corpus):
    assert complaints(corpus, least="2", sure="0.5") == [("crashed", 3, 0), ("no api", 2, 0)]


def test_a_reviewer_that_always_says_skip_says_so_in_any_words(corpus):
    assert "costly" not in {word for word, *_ in complaints(corpus, sure="0.01")}


def test_who_beats_whom_names_the_winner_by_votes_or_by_scores(corpus):
    beta = make.an_id("beta")
    assert answer(corpus, "who_beats_whom", tool=beta).select("name", "other_name", "margin").rows() == [
        ("Alpha", "Twin", 25.0)
    ]
    assert answer(corpus, "who_beats_whom", by="score").select("name", "margin").rows() == [("Twin", 20.0)]


def test_of_two_tools_on_several_pages_one_beats_the_other(tmp_path):
    rows = make.corpus()
    rows["pages"].append(make.page("again"))
    rows["tool_cards"] += [
        make.card("again", "a", "alpha", panel_ship_pct=0),
        make.card("again", "b", "beta", name="Twin", panel_ship_pct=100),
    ]
    load_corpus(tmp_path / "corpus.duckdb", rows)
    found = answer(tmp_path / "corpus.duckdb", "who_beats_whom", tool=make.an_id("beta"))
    assert found.select("name", "other_name", "margin", "pages", "won_pages").rows() == [("Twin", "Alpha", 37.5, 2, 1)]


def test_price_stands_beside_the_score_and_few_paid_tools_say_nothing_of_both(corpus):
    found = answer(corpus, "price_and_score")
    assert ("Alpha", 0.0, 70.0) in found.select("name", "cheapest_monthly", "mean_score").rows()
    assert found["paid_tools"].max() < 10
    assert found["correlation"].null_count() == found.height


def test_prices_and_scores_are_correlated_by_their_ranks_with_an_interval(tmp_path):
    prices, scores = (1, 2, 3, 4, 5, 6, 7, 8, 9, 4000), (51, 52, 54, 53, 55, 56, 58, 57, 60, 59)
    rows = make.corpus()
    for number, (price, score) in enumerate(zip(prices, scores, strict=True)):
        tool = f"paid-{number}"
        rows["tools"].append(make.tool(tool, category="Lamps", category_group="Lamps"))
        rows["pricing_tiers"].append(make.tier(tool, 0, amount=price))
        rows["reviews"].append(make.review(f"of {tool}", tool, score=score))
        rows["appearances"].append(make.appearance("alpha-vs-gamma", f"of {tool}", 50 + number))
    load_corpus(tmp_path / "corpus.duckdb", rows)
    found = answer(tmp_path / "corpus.duckdb", "price_and_score", category="Lamps").row(0, named=True)
    # Six ranks differ by one: 1 - 6 * 6 / (10 * 99). Its z is 1.994, with 0.896 to either side; Pearson's is 0.41.
    told = [found[name] for name in ("correlation", "correlation_from", "correlation_to", "paid_tools")]
    assert told == [0.96, 0.8, 0.99, 10]


def test_what_pages_said_of_a_tool_over_time_ends_with_what_they_say_now(corpus):
    found = answer(corpus, "tool_over_time", tool=make.an_id("alpha"))
    assert found["changed_at"].is_sorted(descending=True)
    now = found.row(0, named=True)
    assert (now["mean_score"], now["ship_pages"] + now["mixed_pages"] + now["skip_pages"]) == (70.0, 1)
    assert now["pages_without_verdict"] == 1, "alpha-vs-gamma has no Decision table"


@pytest.mark.parametrize(
    "words",
    [
        f"http://{make.HOST}/compare/alpha-vs-beta",
        f"https://www.{make.HOST}/compare/alpha-vs-beta/?utm_source=x#reviews",
        "/compare/alpha-vs-beta",
        "ALPHA-vs-beta",
        make.an_id("alpha-vs-beta"),
        make.an_id("alpha-vs-beta")[:9],
    ],
)
def test_a_page_is_known_by_its_address_path_title_or_id(corpus, words):
    with open_for_questions(corpus) as connection:
        assert the_page(connection, words) == make.an_id("alpha-vs-beta")
    assert answer(corpus, "find_page", page=words).height == 1
    assert answer(corpus, "find_record", words=words)["id"].to_list() == [make.an_id("alpha-vs-beta")]


def find(corpus, words):
    with ask_search(corpus, words, 10) as question:
        return read_frame(question)


@pytest.mark.parametrize(
    ("words", "kind", "name"),
    [
        (f"http://{make.HOST}/compare/alpha-vs-beta/", "page", "alpha-vs-beta"),
        ("/compare/alpha-vs-beta", "page", "alpha-vs-beta"),
        ("alpha vs beta", "page", "alpha-vs-beta"),
        (make.an_id("alpha-vs-beta"), "page", "alpha-vs-beta"),
        (make.an_id("beta")[:6], "tool", "Twin"),
        ("alpha/beta", "tool", "Alpha"),
    ],
)
def test_a_search_for_an_address_title_or_id_finds_the_record(corpus, words, kind, name):
    assert find(corpus, words).select("kind", "name").row(0) == (kind, name)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://nowhere.example/", "no page has the address, id or title 'http://nowhere.example/'$"),
        ("nowhere.example/compare/alpha-vs-beta", "pages of other hosts with this path:\n.*/compare/alpha-vs-beta  "),
        ("HTTPS://www.example.org/prices/?from=ad", "could not be read:\n.*example.org/prices  no_panel: nothing is"),
        ("alpha vs betta", "pages with a similar title:\n.*/compare/alpha-vs-beta  alpha-vs-beta"),
        ("/prices", "could not be read:\n.*example.org/prices  no_panel"),
    ],
)
def test_an_address_of_no_page_says_what_is_known_of_it(corpus, address, said):
    with open_for_questions(corpus) as connection, pytest.raises(QuestionFailed, match=said):
        the_page(connection, address)


def test_a_search_for_an_address_of_no_page_fails(corpus):
    with pytest.raises(QuestionFailed, match="no page has the address"):
        find(corpus, "http://nowhere.example/alpha-and-beta")


OPEN = [
    ("An open-source editor for Go", True),
    ("Open source vector database", True),
    ("Open-source models in one API", False),
    ("Works with open-source models", False),
    ("It is open source.", True),
    ("The core is no longer open source", False),
    ("Nightwatch is a fast open-source editor", True),
    ("An alternative to open-source editors", False),
    ("The open-source alternative to Notes", True),
    ("A hosted editor. Open-sourced under MIT in May", True),
    ("Free and open source agent", True),
    ("Is it open source? No", False),
    ("Plans for open-source projects are free", False),
    ("It will be open source soon", False),
    ("Fully open source.", True),
]
LICENCES = [("MIT", "free", True), ("Apache 2.0", "open_source", True), ("Llama 4 community license", "free", False)]


def test_open_source_is_said_of_the_tool_itself_or_by_its_licence(tmp_path):
    rows = make.corpus()
    rows["tools"] += [make.tool(f"t{place}", description=text) for place, (text, _) in enumerate(OPEN)]
    rows["tools"] += [make.tool(f"l{place}") for place in range(len(LICENCES))]
    rows["pricing_tiers"] += [
        make.tier(f"l{place}", 0, license=name, kind=kind, raw=name) for place, (name, kind, _) in enumerate(LICENCES)
    ]
    corpus = tmp_path / "corpus.duckdb"
    load_corpus(corpus, rows)
    told = answer(corpus, "open_source_tools")
    found = {*told["tool_id"]}
    assert [make.an_id(f"t{place}") in found for place in range(len(OPEN))] == [is_open for _, is_open in OPEN]
    assert [make.an_id(f"l{place}") in found for place in range(len(LICENCES))] == [is_open for *_, is_open in LICENCES]
    assert {("licence", "MIT"), ("description", "An open-source editor for Go")} <= {
        *told.select("evidence", "words").rows()
    }
