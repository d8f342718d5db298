"""What the head of a question's file must say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verdicts.corpus.enumerations import ATTRIBUTIONS, REVIEW_VERDICTS, REVIEWERS, VERDICTS
from verdicts.explore.pages.lists import LISTS
from verdicts.warehouse.serving.named_queries import (
    MAIN_QUESTIONS,
    TOPICS,
    Picture,
    list_queries,
    parse_query,
    queries_by_topic,
    row_labels,
)

HEAD = "-- question: How many?\n-- topic: tools\n-- picture: bars name tools\nSELECT 1 AS name, 2 AS tools\n"
LONGEST = 12
"""Questions of a topic: more cannot be read whole, and want a topic of their own."""


@pytest.mark.parametrize("line", ["", "-- topic: gadgets\n", "-- topic: tools\n-- topic: prices\n"])
def test_a_question_has_one_declared_topic(line):
    assert parse_query("how_many", HEAD).topic == "tools"
    with pytest.raises(ValueError, match=r"how_many\.sql: one '-- topic: NAME'"):
        parse_query("how_many", HEAD.replace("-- topic: tools\n", line))


def test_the_short_list_has_about_twenty_questions_and_some_of_each_topic():
    short = dict(queries_by_topic(is_short=True))
    assert {query.name for queries in short.values() for query in queries} == MAIN_QUESTIONS
    assert 18 <= len(MAIN_QUESTIONS) <= 25
    assert all(short.values())


def test_without_a_panel_other_sites_come_first_and_no_short_list_asks_of_a_panel():
    topics = [topic for topic, _ in queries_by_topic(has_panel=False)]
    assert (topics[0], {*topics}) == ("sites", {*TOPICS})
    short = queries_by_topic(is_short=True, has_panel=False)
    assert [topic for topic, _ in short] == ["sites", "trust", "crawl"]
    assert {"list_mentioned", "who_lists", "compare_tools"} <= {query.name for query in short[0][1]}


def test_questions_stand_by_topic_as_declared_and_within_one_by_name():
    topics = queries_by_topic()
    assert [topic for topic, _ in topics] == list(TOPICS)
    for topic, queries in topics:
        names = [query.name for query in queries]
        assert names == sorted(names)
        assert 1 <= len(names) <= LONGEST, topic
    assert [query for _, queries in topics for query in queries] == list_queries()


def test_the_values_of_a_parameter_are_those_of_the_corpus():
    every = {
        (known.name, tuple(value for value in known.values if value != "none"))
        for query in list_queries()
        for known in query.parameters
        if known.values
    }
    declared = {(name, values) for name, values in every if name in ("reviewer", "attribution", "verdict")}
    assert declared == {
        ("reviewer", REVIEWERS),
        ("attribution", ATTRIBUTIONS),
        ("verdict", VERDICTS),
        ("verdict", REVIEW_VERDICTS),
    }
    for listing in LISTS:
        assert listing.query.parameter("sort").values == tuple(listing.sorts)


def test_a_need_is_one_that_can_be_told():
    assert parse_query("how_many", HEAD.replace("-- picture", "-- needs: nights\n-- picture")).needs == "nights"
    with pytest.raises(ValueError, match=r"how_many\.sql: '-- needs"):
        parse_query("how_many", HEAD.replace("-- picture", "-- needs: days\n-- picture"))


def test_what_a_question_hides_is_a_note_with_rows_and_the_reason_without_them():
    lines = "-- note: by votes\n-- hides: tools of few\n-- picture"
    query = parse_query("how_many", HEAD.replace("-- picture", lines))
    assert query.notes == ("by votes", "not shown: tools of few")
    assert query.hides == "not shown: tools of few"


@pytest.mark.parametrize("line", ["", "pie name tools", "bars name", "bars name+ tools", "table name tools", "bars"])
def test_a_question_says_how_it_is_drawn(line):
    several = parse_query("how_many", HEAD.replace("bars name tools", "bars name+slug tools"))
    assert several.picture == Picture("bars", ("name", "slug"), "tools")
    with pytest.raises(ValueError, match=r"how_many\.sql: '-- picture"):
        parse_query("how_many", HEAD.replace("bars name tools", line))


def test_a_further_column_stands_only_where_a_name_is_shared():
    rows = [("Twin", "twin-1", "id1"), ("Alpha", "alpha", "id2"), ("Twin", None, "id3"), ("Twin", None, "id3")]
    assert row_labels(rows) == [("Twin", "twin-1"), ("Alpha",), ("Twin", "id3"), ("Twin", "id3", "2")]


@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[st.sampled_from(["a", "b", "2", "", None])] * n))))
def test_no_two_rows_have_one_label(rows):
    labels = row_labels(rows)
    assert len(set(labels)) == len(labels) == len(rows)
    assert [label[0] for label in labels] == [row[0] or "" for row in rows]
