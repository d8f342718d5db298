"""How well a search answers what people look for: nDCG@10 over the judged queries of `finding_queries.toml`."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import log2
from pathlib import Path
from typing import Literal, TypeAlias

import duckdb

from verdicts.demo_site.site_facts import DATA, load_facts

Kind: TypeAlias = Literal["tools", "reviews"]
Search: TypeAlias = Callable[[Kind, str], Sequence[str]]
"""Answers a query with its best ten first: a tool as its slug, a take as `slug/Reviewer`."""

QUERIES = Path(__file__).parent / "finding_queries.toml"
FLOORS = Path(__file__).parent / "finding_floors.toml"
AT = 10

OURS = {
    "tools": "SELECT slug FROM search_tools($words, most := 10)",
    "reviews": """
        SELECT tools.slug || '/' || found.reviewer
        FROM search_reviews($words, most := 10) AS found
        INNER JOIN tools USING (tool_id)
        ORDER BY found.relevance DESC, found.review_id""",
}


@cache
def load_queries() -> Mapping[Kind, Mapping[str, Mapping[str, int]]]:
    """Kind, words, what answers them, and how well: 2 or 1."""
    declared = tomllib.loads(QUERIES.read_text(encoding="utf-8"))
    return {
        kind: {
            words: {_whole(answer): grade for answer, grade in answers.items()} for words, answers in queries.items()
        }
        for kind, queries in declared.items()
    }


def _whole(answer: str) -> str:
    """The slug written out of which an answer has the beginning."""
    beginning, slash, reviewer = answer.partition("/")
    tools = load_facts().tools
    (slug,) = [beginning] if beginning in tools else [slug for slug in tools if slug.startswith(beginning)]
    assert not reviewer or tools[slug].take_by(reviewer), answer
    return slug + slash + reviewer


def digest() -> str:
    """Of the queries and of the facts they were judged by: other ones make another figure."""
    files = [QUERIES, *sorted(DATA.glob("*.toml"))]
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def ndcg(answers: Sequence[str], grades: Mapping[str, int]) -> float:
    """Normalized discounted cumulative gain of the first ten (Järvelin and Kekäläinen, with gains of 2^grade - 1)."""
    ideal = sorted(grades.values(), reverse=True)[:AT]
    return _gain([grades.get(answer, 0) for answer in answers[:AT]]) / _gain(ideal)


def _gain(grades: Sequence[int]) -> float:
    return sum((2**grade - 1) / log2(place + 2) for place, grade in enumerate(grades))


def ours(connection: duckdb.DuckDBPyConnection) -> Search:
    return lambda kind, words: [slug for (slug,) in connection.execute(OURS[kind], {"words": words}).fetchall()]


def measure(search: Search) -> dict[Kind, dict[str, float]]:
    """nDCG@10 of each query."""
    return {
        kind: {words: ndcg(search(kind, words), grades) for words, grades in queries.items()}
        for kind, queries in load_queries().items()
    }
