"""Full text search finds what the words say, ranks it as BM25 does, and keeps up with the corpus."""

import math

import duckdb
import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_files import answer_frame, load_corpus, publish

TEXTS = {
    "alpha builder": "Fast refactors, fast reviews; the editor keeps up.",
    "alpha skeptic": "The editor crashed twice on a large repository of ours, and the café wifi was not to blame.",
    "beta builder": "Cheap.",
    "gamma": "C’est une façon de faire; GPT-5.2 does it as well.",
}


def corpus_saying(texts):
    rows = make.corpus()
    said = {make.an_id(word): text for word, text in texts.items()}
    rows["reviews"] = [replace(row, text=said.get(row.review_id, row.text)) for row in rows["reviews"]]
    return rows


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "corpus.duckdb"
    load_corpus(path, corpus_saying(TEXTS))
    return path


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """What is published, for tests that only ask."""
    path = tmp_path_factory.mktemp("search") / "corpus.duckdb"
    load_corpus(path, corpus_saying(TEXTS))
    return publish_copy(path)


def find(corpus, words):
    names = {make.an_id(word): word for word in TEXTS}
    answer = answer_frame(corpus, "SELECT review_id FROM search_reviews($words)", {"words": words})
    return [names[review_id] for review_id in answer["review_id"]]


def publish_copy(path):
    return publish(path, path.parent / "serve", at=make.NIGHT)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("editor", ["alpha builder", "alpha skeptic"]),
        ("EDITOR crashed", ["alpha skeptic", "alpha builder"]),
        ("cafe", ["alpha skeptic"]),
        ("facon", ["gamma"]),
        ("GPT-5.2", ["gamma"]),
        ("crashes", ["alpha skeptic"]),
        ("crashing", ["alpha skeptic"]),
        ("refactor", ["alpha builder"]),
        ("edit", ["alpha builder", "alpha skeptic"]),
        ("edi", []),
        ("", []),
        ("...", []),
        ("nobody's words", []),
    ],
)
@pytest.mark.share(3)
def test_words_find_the_reviews_that_have_them_the_fitting_first(copy, words, expected):
    assert find(copy, words) == expected


def test_the_relevance_is_bm25(copy):
    """By hand: of 4 reviews one has the word, twice; the texts have 8, 18, 1 and 13 words."""
    answer = answer_frame(copy, "SELECT review_id, relevance FROM search_reviews('fast')").rows()
    weight = math.log(1 + (4 - 1 + 0.5) / (1 + 0.5))
    mean_words = (8 + 18 + 1 + 13) / 4
    expected = weight * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 8 / mean_words))
    assert answer == [(make.an_id("alpha builder"), pytest.approx(expected))]


def test_no_more_are_found_than_asked_for_and_the_best_of_them(copy):
    best = answer_frame(copy, "SELECT review_id FROM search_reviews('editor crashed', most := 1)")
    assert best["review_id"].to_list() == [make.an_id("alpha skeptic")]


def test_a_search_shows_what_is_needed_to_judge_it(copy):
    row = answer_frame(copy, "FROM search_reviews('crashed')").row(0, named=True)
    assert (row["name"], row["reviewer"], row["score"], row["verdict"]) == ("Alpha", "Skeptic", 60, "skip")
    assert row["text"] == TEXTS["alpha skeptic"]


@pytest.mark.whole
def test_a_review_that_says_something_else_is_found_by_that_alone(path):
    publish_copy(path)
    load_corpus(path, corpus_saying(TEXTS | {"beta builder": "Costly."}), load_id="load-2")
    copy = publish_copy(path)
    assert (find(copy, "cheap"), find(copy, "costly")) == ([], ["beta builder"])


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["made anew", "night by night"])
@pytest.mark.whole
def test_an_index_kept_night_by_night_is_the_one_made_at_once(path, tmp_path, monkeypatch, share):
    monkeypatch.setattr("verdicts.warehouse.serving.copy.REBUILD_SHARE", share)
    monkeypatch.setattr("verdicts.warehouse.serving.copy.AT_A_TIME", 5)
    publish_copy(path)
    rows = corpus_saying(TEXTS | {"beta builder": "Costly."})
    rows["reviews"] = rows["reviews"][1:]
    for table in ("appearances", "review_history"):
        rows[table] = [row for row in rows[table] if row.review_id != make.an_id("alpha builder")]
    for table in ("review_aliases", "lookalikes", "attribution_evidence"):
        rows[table] = []
    load_corpus(path, rows, load_id="load-2")
    publish_copy(path)
    load_corpus(tmp_path / "new.duckdb", rows)
    publish_copy(tmp_path / "new.duckdb")
    assert read_index(path) == read_index(tmp_path / "new.duckdb")


def read_index(path):
    with duckdb.connect(path, read_only=True) as connection:
        return (
            connection.execute(
                "SELECT field, id, indexed.language, words, spelling, word, stem, occurrences"
                " FROM search.indexed LEFT JOIN search.postings USING (document) LEFT JOIN search.words USING (term)"
                " ORDER BY ALL"
            ).fetchall()
            + connection.execute("FROM search.names ORDER BY ALL").fetchall()
            + connection.execute("SELECT language, spelling FROM search.words ORDER BY ALL").fetchall()
        )
