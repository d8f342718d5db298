"""The named questions of `queries/*.sql`. Each begins with question, topic, parameters, note and picture in comments.

    -- question: How do the tools of each category score, with synonyms combined?
    -- topic: market
    -- parameter: least = 1: only categories with at least this many tools
    -- parameter: verdict: only tools of this verdict (ship, mixed, skip)
    -- note: how to read the answer
    -- hides: rows of few cases that are not in the answer
    -- picture: bars name+slug+tool_id mean_score

The SQL casts each parameter to its type, `$least::BIGINT`. A closed list of values stands at the end of a meaning.
`-- filters: list_tools` stands for the parameters of that list without order and window.

A topic is one of TOPICS, a need one of NEEDS. A picture is a kind, the columns that label a mark, and the columns that
it shows. The first column is on every label. Each further column is added only to labels that several rows share: a
slug to a shared name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, TypeAlias, cast, get_args

from verdicts.warehouse.storage.sql_files import read_sql
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

PictureKind: TypeAlias = Literal["bars", "strip", "points", "table"]

Label: TypeAlias = tuple[str, ...]
"""The parts of a label, the most important one first."""


@dataclass(frozen=True, slots=True)
class Picture:
    """How an answer is drawn.

    `bars`: a bar of length `value` for each row. `strip`: a dot for each row on an axis from 0 to 100.
    `points`: a dot for each row at `value` and at the price `against`. `table`: no picture; there are no labels and
    `value` is None.
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
    for number in range(1, max(map(len, rows), default=0)):
        counts = Counter(labels)
        further = [row[number] for row in rows]
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


_HEAD = re.compile(r"^-- (question|topic|filters|parameter|needs|note|hides|picture): (.*)$", re.MULTILINE)
_WINDOW = ("sort ", "direction ", "limit ", "offset ")
_WORDS = re.compile(r"[\W_]+")
_PARAMETER = re.compile(r"(?P<name>\w+)(?: = (?P<default>[^:]+))?: (?P<meaning>.+)")
_VALUES = re.compile(r"\(([^()]+)\)$")
_RANGE = re.compile(r", (\d+) to (\d+)$")
_CAST = re.compile(r"\$(\w+)::(\w+)")
_PICTURE = re.compile(r"table|(?P<kind>bars|strip|points) (?P<labels>\w+(?:\+\w+)*) (?P<value>\w+)( (?P<against>\w+))?")

TOPICS: Mapping[str, str] = MappingProxyType(
    {
        "tools": "Tools",
        "reviews": "Reviews",
        "panel": "Panel and scores",
        "disagreement": "Disagreement",
        "prices": "Prices",
        "market": "Market and matches",
        "sites": "Other sites",
        "changes": "Changes",
        "trust": "Trust",
        "crawl": "Crawl and corpus",
    }
)
"""Name of each topic to its heading, in the order of every list. Within a topic, questions are sorted by name."""

PANEL_TOPICS = frozenset({"tools", "reviews", "panel", "disagreement", "prices", "market", "changes"})
"""Topics of questions about a panel, which have no rows in a corpus without one."""

MAIN_QUESTIONS = frozenset(
    {
        *("top_tools", "tool_card"),
        *("tool_reviews", "search_reviews"),
        *("reviewer_leanings", "contested", "reviewers_that_disagree"),
        *("cheapest_tools", "free_tools", "tool_price_history"),
        *("category_summary", "who_beats_whom", "match_winners"),
        *("list_mentioned", "who_lists", "what_sites_say", "compare_tools", "pages_of_other_sites", "page_facts"),
        *("changed_verdicts", "changed_prices", "changed_reviews"),
        *("doubts_by_rule", "coverage_by_host", "relations"),
    }
)
"""The questions that a person asks first, of PANEL_TOPICS only if there is a panel. The others answer for a part of a
page of the explorer, or in more detail."""

NEEDS: Mapping[str, str] = MappingProxyType(
    {
        "nights": "this corpus has one night; changes show from the second night on",
        "sites": "this corpus has the pages of one site; add those of another",
    }
)
"""What a question needs at least two of, and why it has no rows otherwise."""

WORDS_OF_PAGES = ("reviewer", "category", "entry", "currency", "host")
OPEN = (*WORDS_OF_PAGES, "rule", "relation", "column")
"""Parameters whose values are those of the corpus, and those that their meaning lists."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that narrows a question. `default` is None: it does not narrow. `type` is that of DuckDB."""

    name: str
    default: str | None
    meaning: str
    type: str

    @property
    def values(self) -> tuple[str, ...]:
        """The values that its meaning lists."""
        listed = _VALUES.search(self.meaning)
        return tuple(listed[1].split(", ")) if listed else ()

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the greatest number that its meaning names: `0 to 100`."""
        named = _RANGE.search(self.meaning)
        return (float(named[1]), float(named[2])) if named else None

    @property
    def is_open(self) -> bool:
        """Whether it also has the values of the corpus."""
        return self.name in OPEN


WINDOW = {
    "limit": Parameter("limit", None, "at most this many rows", "BIGINT"),
    "offset": Parameter("offset", None, "skip this many", "BIGINT"),
}
"""Parameters that every question reviews."""


@dataclass(frozen=True, slots=True)
class Query:
    """A named question, and the SQL that answers it. `notes` explain the answer, `hides` names omitted rows."""

    name: str
    question: str
    topic: str
    parameters: tuple[Parameter, ...]
    picture: Picture
    needs: str | None
    notes: tuple[str, ...]
    hides: str | None
    sql: str

    @property
    def accepted_parameters(self) -> dict[str, Parameter]:
        """The parameters that it takes, by name: its own, then those of every question."""
        declared = {parameter.name: parameter for parameter in self.parameters}
        return declared | {name: parameter for name, parameter in WINDOW.items() if name not in declared}

    def parameter(self, name: str) -> Parameter:
        """Raises QuestionFailed if the question does not take it."""
        taken = self.accepted_parameters
        if name not in taken:
            near = "".join(f"did you mean {similar}? " for similar in nearest(name, taken)[:1])
            raise QuestionFailed(f"{self.name} has no parameter {name!r}; {near}it takes {', '.join(taken)}")
        return taken[name]

    def bind(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """A value for each parameter: the given one, else its default. Raises QuestionFailed for an unknown name."""
        return {parameter.name: parameter.default for parameter in self.parameters} | {
            self.parameter(name).name: value for name, value in given.items()
        }


def list_queries() -> list[Query]:
    """All named questions by topic, then by name."""
    return [query for _, queries in queries_by_topic() for query in queries]


def queries_by_topic(*, is_short: bool = False, has_panel: bool = True) -> list[tuple[str, list[Query]]]:
    """The topics with their questions, both in the order of every list. `is_short`: only MAIN_QUESTIONS.

    A corpus without a panel has other sites first and PANEL_TOPICS last, and none of these in its short list.
    """
    asked = MAIN_QUESTIONS if is_short else read_sql("serving/queries")
    every = [parse_query(name, sql) for name, sql in read_sql("serving/queries").items() if name in asked]
    topics = TOPICS if has_panel else sorted(TOPICS, key=PANEL_TOPICS.__contains__)
    return [
        (topic, [query for query in every if query.topic == topic])
        for topic in topics
        if has_panel or not is_short or topic not in PANEL_TOPICS
    ]


def query_named(name: str) -> Query:
    """Raises QuestionFailed if no question has this name."""
    if name not in read_sql("serving/queries"):
        near = nearest(name, read_sql("serving/queries"))
        meant = f"did you mean {' or '.join(near)}?" if near else "see the list of questions"
        raise QuestionFailed(f"no question is called {name!r}; {meant}")
    return parse_query(name, read_sql("serving/queries")[name])


def nearest(words: str, names: Iterable[str]) -> list[str]:
    """Names with nearly the same letters, else those that share most words: for `best_category`, `category_prices`."""
    folded = {name.casefold(): name for name in names}
    if alike := get_close_matches(words.casefold(), folded, cutoff=0.8):
        return [folded[name] for name in alike]
    asked = [word for word in _WORDS.split(words.casefold()) if len(word) > 2]
    shared = {name: sum(any(part.startswith(word) for part in _WORDS.split(name)) for word in asked) for name in folded}
    most = max(shared.values(), default=0)
    return [folded[name] for name, count in shared.items() if count == most > 0][:5]


def parse_query(name: str, sql: str) -> Query:
    """The question in a file. Raises ValueError if its head lacks topic or picture."""
    head = _HEAD.findall(sql)
    question, topics = dict(head).get("question", ""), [value for key, value in head if key == "topic"]
    if len(topics) != 1 or topics[0] not in TOPICS:
        raise ValueError(f"{name}.sql: one '-- topic: NAME' with NAME of {', '.join(TOPICS)}")
    drawn = _PICTURE.fullmatch(dict(head).get("picture", ""))
    if drawn is None:
        raise ValueError(f"{name}.sql: '-- picture: KIND LABEL[+LABEL] VALUE' with KIND of {get_args(PictureKind)}")
    needs = dict(head).get("needs")
    if needs not in (None, *NEEDS):
        raise ValueError(f"{name}.sql: '-- needs: NAME' with NAME of {', '.join(NEEDS)}")
    labels = tuple(drawn["labels"].split("+")) if drawn["labels"] else ()
    picture = Picture(cast("PictureKind", drawn["kind"] or "table"), labels, drawn["value"], drawn["against"])
    if (listed := dict(head).get("filters")) is not None:
        head = [line for line in _HEAD.findall(read_sql("serving/queries")[listed]) if not line[1].startswith(_WINDOW)]
    declared = (_PARAMETER.fullmatch(value) for key, value in head if key == "parameter")
    parameters = tuple(Parameter(**match.groupdict(), type=_type(match["name"], sql)) for match in declared if match)
    hides = f"not shown: {dict(head)['hides']}" if "hides" in dict(head) else None
    notes = tuple(value for value in (dict(head).get("note"), hides) if value)
    return Query(name, question, topics[0], parameters, picture, needs, notes, hides, sql)


def _type(name: str, sql: str) -> str:
    """What the SQL casts the parameter to; a filter of a list is also cast to a text, to see whether it is given."""
    casts = _CAST.findall(sql)
    return next((type_ for cast_, type_ in casts if cast_ == name and type_ != "VARCHAR"), "VARCHAR")
