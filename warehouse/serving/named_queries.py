"""The named questions of `queries/*.sql`. Each begins with question, topic, parameters and picture in comments.

    -- question: How does each category fare, synonyms taken together?
    -- topic: market
    -- parameter: least = 1: only categories with at least this many tools
    -- picture: bars name+slug+tool_id mean_score

A topic is one of TOPICS. A picture is a kind, the columns that label a mark, and the columns that it shows. The first
column is on every label. Each further column is added only to labels that several rows share: a slug to a shared name.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, TypeAlias, cast, get_args

from verdicts.warehouse.storage.errors import QuestionFailed
from verdicts.warehouse.storage.sql_files import read_sql

PictureKind: TypeAlias = Literal["bars", "strip", "lines", "points", "table"]

Label: TypeAlias = tuple[str, ...]
"""The parts of a label, the most important one first."""


@dataclass(frozen=True, slots=True)
class Picture:
    """How an answer is drawn.

    `bars`: a bar of length `value` for each row. `strip`: a dot for each row on an axis from 0 to 100. `lines`: `value`
    over the time in `labels`. `points`: a dot for each row at `value` and at the price `against`. `table`: no picture;
    there are no labels and `value` is None.
    """

    kind: PictureKind
    labels: tuple[str, ...] = ()
    value: str | None = None
    against: str | None = None


def row_labels(rows: Sequence[Sequence[str | None]]) -> list[Label]:
    """A distinct label for each row, from the texts of its label columns.

    Rows with equal texts are numbered. If the first text is None, the first part is empty.
    """
    labels: list[Label] = [(row[0] or "",) for row in rows]
    for place in range(1, max(map(len, rows), default=0)):
        counts = Counter(labels)
        further = [row[place] for row in rows]
        labels = [
            (*label, text) if text and counts[label] > 1 else label for label, text in zip(labels, further, strict=True)
        ]
    taken, seen, numbered = set(labels), set[Label](), list[Label]()
    for label in labels:
        number, distinct = 1, label
        while distinct in seen or (number > 1 and distinct in taken):
            number += 1
            distinct = (*label, str(number))
        seen.add(distinct)
        numbered.append(distinct)
    return numbered


_HEAD = re.compile(r"^-- (question|topic|parameter|picture): (.*)$", re.MULTILINE)
_PARAMETER = re.compile(r"(?P<name>\w+)(?: = (?P<default>[^:]+))?: (?P<meaning>.+)")
_PICTURE = re.compile(
    r"table|(?P<kind>bars|strip|lines|points) (?P<labels>\w+(?:\+\w+)*) (?P<value>\w+)( (?P<against>\w+))?"
)

TOPICS: Mapping[str, str] = MappingProxyType(
    {
        "tools": "Tools",
        "takes": "Takes",
        "panel": "Panel and scores",
        "disagreement": "Disagreement",
        "prices": "Prices",
        "market": "Market and matches",
        "changes": "Changes",
        "trust": "Trust",
        "crawl": "Crawl and corpus",
    }
)
"""Name of each topic to its heading, in the order of every list. Within a topic, questions are sorted by name."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that narrows a question. `default` is None: it does not narrow."""

    name: str
    default: str | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """A named question, and the SQL that answers it."""

    name: str
    question: str
    topic: str
    parameters: tuple[Parameter, ...]
    picture: Picture
    sql: str

    def bound(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """A value for each parameter: the given one, else its default. Raises QuestionFailed for an unknown name."""
        defaults = {parameter.name: parameter.default for parameter in self.parameters}
        for name in given:
            if name not in {*defaults, "limit", "offset"}:
                has = "its parameters are " + ", ".join(defaults) if defaults else "it has no parameters"
                raise QuestionFailed(f"the query {self.name} has no parameter {name!r}; {has}")
        return defaults | dict(given)


def list_queries() -> list[Query]:
    """All named questions by topic, then by name."""
    return [query for _, queries in queries_by_topic() for query in queries]


def queries_by_topic() -> list[tuple[str, list[Query]]]:
    """Each of TOPICS with its questions, sorted by name."""
    every = [query_of(name, sql) for name, sql in read_sql("serving/queries").items()]
    return [(topic, [query for query in every if query.topic == topic]) for topic in TOPICS]


def query_named(name: str) -> Query:
    """Raises QuestionFailed if no question has this name."""
    if name not in read_sql("serving/queries"):
        near = _near(name, [*read_sql("serving/queries")])
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        raise QuestionFailed(f"no query is called {name!r}; {meant}'verdicts query' lists them")
    return query_of(name, read_sql("serving/queries")[name])


def _near(name: str, names: Sequence[str]) -> list[str]:
    """Names with the same letters, else those that share a word: for `best_category`, `category_prices`."""
    words = {word for word in name.lower().split("_") if len(word) > 2}
    return get_close_matches(name, names, cutoff=0.8) or [other for other in names if words & set(other.split("_"))][:5]


def query_of(name: str, sql: str) -> Query:
    """The question in a file. Raises ValueError if its head lacks topic or picture."""
    head = _HEAD.findall(sql)
    topics = [value for key, value in head if key == "topic"]
    if len(topics) != 1 or topics[0] not in TOPICS:
        raise ValueError(f"{name}.sql: one '-- topic: NAME' with NAME of {', '.join(TOPICS)}")
    drawn = _PICTURE.fullmatch(dict(head).get("picture", ""))
    if drawn is None:
        raise ValueError(f"{name}.sql: '-- picture: KIND LABEL[+LABEL] VALUE' with KIND of {get_args(PictureKind)}")
    labels = tuple(drawn["labels"].split("+")) if drawn["labels"] else ()
    picture = Picture(cast("PictureKind", drawn["kind"] or "table"), labels, drawn["value"], drawn["against"])
    declared = (_PARAMETER.fullmatch(value) for key, value in head if key == "parameter")
    parameters = tuple(Parameter(**match.groupdict()) for match in declared if match)
    return Query(name, dict(head).get("question", ""), topics[0], parameters, picture, sql)
