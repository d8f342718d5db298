"""A tool is found by what people call it, and where that is not one tool, they are told which there are."""

import tomllib
from statistics import mean

import duckdb
import pytest

from builders.finding import FLOORS, digest, load_queries, measure, ours
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_corpus
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.serving.name_lookup import the_tool, values_meant
from verdicts.warehouse.serving.named_queries import query_named
from verdicts.warehouse.serving.query import ask, open_for_questions
from verdicts.warehouse.storage.connection import open_for_writing
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("finding") / "corpus.duckdb"
    load_corpus(path, dict(demo_corpus()), crawls=(), fetches=())
    with open_for_writing(path) as connection:
        bring_index_up_to_date(connection)
    return path


def find_meant(corpus, words):
    """The slug of the tool that is meant."""
    with open_for_questions(corpus) as connection:
        tool_id = the_tool(connection, words)
    ((slug,),) = ask(corpus, "SELECT slug FROM tools WHERE tool_id = $tool", {"tool": tool_id}).rows
    return slug


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        ("midmeadow", "midmeadow"),
        ("MIDMEADOW", "midmeadow"),
        ("  Mïdmeadow ", "midmeadow"),
        ("miselle 3 small 22b", "miselle-3-small-22b-open-weight-edge-deployment"),
        ("Miselle-3-Small", "miselle-3-small-open-weight-general-assistant"),
        ("Val Barrow 13", "val-barrow-13"),
        ("codrelle 2", "codrelle-2-miselle-22b-apache-code-completion-fill-in-middle-2026"),
    ],
)
@pytest.mark.share(3)
def test_case_accents_and_punctuation_of_a_name_do_not_count(corpus, words, slug):
    assert find_meant(corpus, words) == slug


def test_an_id_and_its_beginning_are_enough(corpus):
    ((tool_id,),) = ask(corpus, "SELECT tool_id FROM tools WHERE slug = 'midmeadow'").rows
    assert {find_meant(corpus, words) for words in (tool_id, tool_id[:8])} == {"midmeadow"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("thimlm3", "(?s)5 tools match 'thimlm3'.*hazel-lantern-thimlm3-3b-parameter-model"),
        ("Midmedow", "no tool is called 'Midmedow'; similar names:\n.*midmeadow"),
        ("Codrelle", "(?s)similar names:.*Codrelle 2 .*Codrelle 2.0 "),
        ("an abacus", "no tool is called 'an abacus'; 'verdicts search'"),
        ("", "no tool is called ''"),
        ("?!", "no tool is called"),
        ("' OR 1", "no tool is called"),
    ],
)
def test_where_it_is_not_one_tool_the_candidates_are_told(corpus, words, said):
    with pytest.raises(QuestionFailed, match=said):
        find_meant(corpus, words)


VALUES = [
    ("list_reviews", "reviewer", " skeptic ", "Skeptic"),
    ("list_reviews", "reviewer", "NONE", "none"),
    ("list_reviews", "verdict", "Ship", "ship"),
    ("list_tools", "category", "image generation", "Image Generation"),
    ("cheapest_tools", "category", "voice & audio", "Voice & Audio"),
    ("new_tools", "since", "2026-11-01", "2026-11-01T00:00:00"),
    ("new_tools", "since", "-infinity", "-infinity"),
    ("top_tools", "limit", "3", "3"),
    ("top_tools", "limit", "3.0", "3.0"),
    ("doubts_by_rule", "rule", "any: no doubt is known", "any: no doubt is known"),
    ("list_reviews", "words", "Sketch", "Sketch"),
]
MISTAKES = [
    (
        "list_reviews",
        "reviewer",
        "skeptc",
        "reviewer cannot be 'skeptc':\ndid you mean Skeptic[?] It can be Builder, .*, none$",
    ),
    ("list_reviews", "verdict", "hate", "verdict cannot be 'hate'; it can be ship, skip, none$"),
    ("list_reviews", "verdict", "shp", "did you mean ship[?] It can be"),
    (
        "list_tools",
        "sort",
        "best",
        "sort cannot be 'best'; it can be mean, panel, community, spread, price, changed, reviews, pages, name$",
    ),
    (
        "top_tools",
        "category",
        "image",
        "category cannot be 'image':\ndid you mean Image Generation[?] It can be ",
    ),
    ("top_tools", "category", "none", "category cannot be 'none'"),
    ("relations", "relation", "toolz", "did you mean tools[?] .* and [0-9]+ more$"),
    ("new_tools", "since", "soon", "since cannot be 'soon'; it must be a date such as"),
    ("top_tools", "limit", "1.5", "limit cannot be '1.5'; it is a whole number"),
    ("list_reviews", "score_from", "NaN", "score_from cannot be 'NaN'; it is a number such as 12.5"),
    ("list_reviews", "score_from", "500", "score_from cannot be '500'; it is a number from 0 to 100"),
    ("score_histogram", "step", "0", "step cannot be 0"),
    (
        "top_tools",
        "categry",
        "x",
        "no parameter 'categry'; did you mean category[?] it takes category, ",
    ),
]


@pytest.mark.parametrize(("name", "parameter", "words", "value"), VALUES)
def test_a_value_is_known_in_any_case(corpus, name, parameter, words, value):
    with open_for_questions(corpus) as connection:
        assert values_meant(connection, query_named(name), {parameter: words})[parameter] == value


@pytest.mark.parametrize(("name", "parameter", "words", "said"), MISTAKES)
def test_a_value_that_a_parameter_cannot_have_is_told_with_those_that_it_can(corpus, name, parameter, words, said):
    with open_for_questions(corpus) as connection, pytest.raises(QuestionFailed, match=said):
        values_meant(connection, query_named(name), {parameter: words})


@pytest.mark.whole
def test_what_people_look_for_is_found_as_well_as_it_was(corpus):
    """nDCG@10 of judged queries; the floors hold for these queries and these facts alone."""
    floors = tomllib.loads(FLOORS.read_text(encoding="utf-8"))
    assert floors.pop("digest") == digest(), "other queries or facts: measure again, and write the new digest"
    with duckdb.connect(corpus, read_only=True) as connection:
        measured = {kind: mean(values.values()) for kind, values in measure(ours(connection)).items()}
    assert {kind: value for kind, value in measured.items() if value < floors[kind]} == {}


def test_enough_is_looked_for_to_measure_it():
    assert sum(map(len, load_queries().values())) >= 60
