"""The named questions of `queries/*.sql`, fit to be asked as they are."""

from dataclasses import dataclass

from warehouse.relations import statements

_MARK = "-- question: "


@dataclass(frozen=True, slots=True)
class Query:
    """A question in words and the SQL that answers it."""

    name: str
    question: str
    sql: str


def list_queries() -> list[Query]:
    """All named questions, by name."""
    return [Query(name, sql.partition("\n")[0].removeprefix(_MARK), sql) for name, sql in statements("queries").items()]
