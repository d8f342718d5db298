"""What the head of a question's file must say."""

import re
from collections.abc import Callable

import pytest

from warehouse.serving.named_queries import TOPICS, list_queries, queries_by_topic, query_of

HEAD = "-- question: How many?\n-- topic: tools\n-- picture: bars name tools\nSELECT 1 AS name, 2 AS tools\n"
LONGEST = 12
"""Questions of a topic: more cannot be read whole, and want a topic of their own."""


@pytest.mark.parametrize(
    "broken",
    [
        lambda head: re.sub("-- topic.*\n", "", head),
        lambda head: head.replace("tools\n", "gadgets\n", 1),
        lambda head: head.replace("tools\n", "tools, prices\n", 1),
        lambda head: head.replace("-- topic: tools\n", "-- topic: tools\n-- topic: prices\n"),
    ],
    ids=["none", "not declared", "no name", "two"],
)
def test_a_question_has_one_declared_topic(broken: Callable[[str], str]) -> None:
    assert query_of("how_many", HEAD).topic == "tools"
    with pytest.raises(ValueError, match=r"how_many\.sql: one '-- topic: NAME'"):
        query_of("how_many", broken(HEAD))


def test_questions_stand_by_topic_as_declared_and_within_one_by_name() -> None:
    topics = queries_by_topic()
    assert [topic for topic, _ in topics] == list(TOPICS)
    for topic, queries in topics:
        names = [query.name for query in queries]
        assert names == sorted(names)
        assert 1 <= len(names) <= LONGEST, topic
    assert [query for _, queries in topics for query in queries] == list_queries()
