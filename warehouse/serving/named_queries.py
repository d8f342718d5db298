"""The named questions of `queries/*.sql`: each begins with question, parameters and picture, in comments."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from warehouse.storage.errors import QuestionFailed
from warehouse.storage.sql_files import read_sql

_QUESTION = re.compile(r"-- question: (.+)")
_PARAMETER = re.compile(r"-- parameter: (?P<name>\w+)(?: = (?P<default>[^:]+))?: (?P<meaning>.+)")
_PICTURE = re.compile(r"-- picture: (?P<kind>bars|strip|lines|table)(?: (?P<label>\w+) (?P<value>\w+))?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Picture:
    """How an answer is drawn: `kind`, and the columns that give a label and a value.

    bars: one bar a row; strip: dots on an axis from 0 to 100; lines: a time series, its label is a time; table: no
    picture fits, and there are no columns.
    """

    kind: str
    label: str | None
    value: str | None


@dataclass(frozen=True, slots=True)
class Parameter:
    """What narrows a question. `default` None: not narrowed."""

    name: str
    default: str | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question in words, its parameters, the SQL that answers it, and how the answer is drawn."""

    name: str
    question: str
    parameters: tuple[Parameter, ...]
    sql: str
    picture: Picture

    def bound(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """A value for each parameter: the given one, else its default. Raises QuestionFailed for an unknown name."""
        defaults = {parameter.name: parameter.default for parameter in self.parameters}
        for name in given:
            if name not in defaults:
                has = "its parameters are " + ", ".join(defaults) if defaults else "it has no parameters"
                raise QuestionFailed(f"the query {self.name} has no parameter {name!r}; {has}")
        return defaults | dict(given)


def list_queries() -> list[Query]:
    """All named questions, by name."""
    return [_query(name, sql) for name, sql in read_sql("serving/queries").items()]


def query_named(name: str) -> Query:
    """Raises QuestionFailed where there is none of that name."""
    if name not in read_sql("serving/queries"):
        raise QuestionFailed(f"no query is called {name!r}; 'verdicts query' lists them")
    return _query(name, read_sql("serving/queries")[name])


def _query(name: str, sql: str) -> Query:
    question = _QUESTION.match(sql)
    parameters = tuple(Parameter(**match.groupdict()) for match in _PARAMETER.finditer(sql))
    drawn = _PICTURE.search(sql)
    picture = Picture(**drawn.groupdict()) if drawn else Picture("table", None, None)
    return Query(name, question[1] if question else "", parameters, sql, picture)
