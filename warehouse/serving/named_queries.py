"""The named questions of `queries/*.sql`: each begins with its question and its parameters, in comments."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from warehouse.storage.errors import QuestionFailed
from warehouse.storage.sql_files import read_sql

_QUESTION = re.compile(r"-- question: (.+)")
_PARAMETER = re.compile(r"-- parameter: (?P<name>\w+)(?: = (?P<default>[^:]+))?: (?P<meaning>.+)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a question can be narrowed by. Without a default it asks of everything."""

    name: str
    default: str | None
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question in words, what it can be narrowed by, and the SQL that answers it."""

    name: str
    question: str
    parameters: tuple[Parameter, ...]
    sql: str

    def bound(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """A value for each parameter: what is given, else its default. Raises QuestionFailed for an unknown one."""
        known = {parameter.name: parameter.default for parameter in self.parameters}
        for name in given:
            if name not in known:
                has = "its parameters are " + ", ".join(known) if known else "it has no parameters"
                raise QuestionFailed(f"the query {self.name} has no parameter {name!r}; {has}")
        return known | dict(given)


def list_queries() -> list[Query]:
    """All named questions, by name."""
    return [_query(name, sql) for name, sql in read_sql("serving/queries").items()]


def query_named(name: str) -> Query:
    """Raises QuestionFailed where there is none of that name."""
    if name not in read_sql("serving/queries"):
        raise QuestionFailed(f"no query is called {name!r}; 'verdicts query' lists them")
    return _query(name, read_sql("serving/queries")[name])


def _query(name: str, sql: str) -> Query:
    asked = _QUESTION.match(sql)
    parameters = tuple(Parameter(**found.groupdict()) for found in _PARAMETER.finditer(sql))
    return Query(name, asked[1] if asked else "", parameters, sql)
