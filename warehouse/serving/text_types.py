"""Types that no output form has are handed out as DuckDB writes them: `1 month 3 days 04:05:06`."""

from duckdb.sqltypes import DuckDBPyType

_AS_TEXT = ("interval", "union")
"""A month is no number of days, as it would be in a timedelta; nothing but DuckDB has a union."""


def as_text(type_: DuckDBPyType) -> str:
    """DuckDB's name of the type that a value of `type_` is handed out as: `VARCHAR[]` for a list of intervals."""
    if type_.id in _AS_TEXT:
        return "VARCHAR"
    if type_.id == "list":
        return f"{as_text(_members(type_)['child'])}[]"
    if type_.id == "array":
        return f"{as_text(_members(type_)['child'])}[{dict(type_.children)['size']}]"
    if type_.id == "map":
        return f"MAP({', '.join(map(as_text, _members(type_).values()))})"
    if type_.id == "struct":
        return f"STRUCT({', '.join(f'{quoted(name)} {as_text(member)}' for name, member in _members(type_).items())})"
    return str(type_)


def is_handed_out(type_: DuckDBPyType) -> bool:
    """Whether values of `type_` are handed out as they are."""
    if type_.id in ("list", "array", "map", "struct"):
        return all(map(is_handed_out, _members(type_).values()))
    return type_.id not in _AS_TEXT


def quoted(name: str) -> str:
    """A name as SQL has it, whatever it holds."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _members(type_: DuckDBPyType) -> dict[str, DuckDBPyType]:
    return {name: member for name, member in type_.children if isinstance(member, DuckDBPyType)}
