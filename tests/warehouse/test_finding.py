"""A tool is found by what people call it, and where that is not one tool, they are told which there are."""

import tomllib
from statistics import mean

import duckdb
import pytest

from builders.finding import FLOORS, digest, judged, measure, ours
from builders.snapshots import demo_corpus
from builders.warehouse_files import load_corpus
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.serving.meant import the_tool
from verdicts.warehouse.serving.query import ask, opened_for_questions
from verdicts.warehouse.storage.connection import writing
from verdicts.warehouse.storage.errors import QuestionFailed

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("finding") / "corpus.duckdb"
    load_corpus(path, dict(demo_corpus()), crawls=(), fetches=())
    with writing(path) as connection:
        bring_index_up_to_date(connection)
    return path


def meant(corpus, words):
    """The slug of the tool that is meant."""
    with opened_for_questions(corpus) as connection:
        tool_id = the_tool(connection, words)
    ((slug,),) = ask(corpus, "SELECT slug FROM tools WHERE tool_id = $tool", {"tool": tool_id}).rows
    return slug


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        ("midjourney", "midjourney"),
        ("MIDJOURNEY", "midjourney"),
        ("  Mïdjourney ", "midjourney"),
        ("mistral 3 small 22b", "mistral-3-small-22b-open-weight-edge-deployment"),
        ("Mistral-3-Small", "mistral-3-small-open-weight-general-assistant"),
        ("Val Town 13", "val-town-13"),
        ("codestral 2", "codestral-2-mistral-22b-apache-code-completion-fill-in-middle-2026"),
    ],
)
def test_case_accents_and_punctuation_of_a_name_do_not_count(corpus, words, slug):
    assert meant(corpus, words) == slug


def test_an_id_and_its_beginning_are_enough(corpus):
    ((tool_id,),) = ask(corpus, "SELECT tool_id FROM tools WHERE slug = 'midjourney'").rows
    assert {meant(corpus, words) for words in (tool_id, tool_id[:8])} == {"midjourney"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("smollm3", "(?s)5 tools match 'smollm3'.*hugging-face-smollm3-3b-parameter-model"),
        ("Midjurney", "no tool is called 'Midjurney'; similar names:\n.*midjourney"),
        ("Codestral", "(?s)similar names:.*Codestral 2 .*Codestral 2.0 "),
        ("an abacus", "no tool is called 'an abacus'; a search"),
        ("", "no tool is called ''"),
        ("?!", "no tool is called"),
        ("' OR 1", "no tool is called"),
    ],
)
def test_where_it_is_not_one_tool_the_candidates_are_told(corpus, words, said):
    with pytest.raises(QuestionFailed, match=said):
        meant(corpus, words)


def test_what_people_look_for_is_found_as_well_as_it_was(corpus):
    """nDCG@10 of judged queries; the floors hold for these queries and these facts alone."""
    floors = tomllib.loads(FLOORS.read_text(encoding="utf-8"))
    assert floors.pop("digest") == digest(), "other queries or facts: measure again, and write the new digest"
    with duckdb.connect(corpus, read_only=True) as connection:
        measured = {kind: mean(values.values()) for kind, values in measure(ours(connection)).items()}
    assert {kind: value for kind, value in measured.items() if value < floors[kind]} == {}


def test_enough_is_looked_for_to_measure_it():
    assert sum(map(len, judged().values())) >= 60
