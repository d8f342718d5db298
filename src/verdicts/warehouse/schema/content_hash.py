"""The content hash of a row: MD5 of its values, in SQL that every version of DuckDB computes alike.

A comma follows each value. A text or list has its length and a colon before it, `5:Alpha,`, so that no two rows are
written alike: an empty text is `0:,`, no text is `:,`. DuckDB's own `hash()` differs between its versions.
"""

from collections.abc import Iterable, Mapping

from verdicts.corpus.columns import Column, SqlType
from verdicts.warehouse.storage.sql_files import quote_name

_PARTS: Mapping[SqlType, str] = {
    "VARCHAR": "strlen({0}), ':', {0}",
    "VARCHAR[]": "len({0}), ':', array_to_string({0}, chr(31))",
    "BIGINT": "{0}",
    # -0.0 equals 0.0, but its text differs.
    "DOUBLE": "{0} + 0",
    "BOOLEAN": "{0}",
    # Its own text depends on the time zone of the reader.
    "TIMESTAMPTZ": "epoch_us({0})",
}
"""Type to the parts of a value. A text has its length in bytes; a list its number of values, which U+001F separates; a
time is microseconds since 1970. `concat` leaves out NULL and writes the shortest exact text of a fraction. DuckDB
computes it at each insert, too, so it must be fast: parts that handle NULL themselves take a third more time."""


def hash_content(columns: Iterable[Column]) -> str:
    """The SQL of the hash over `columns`."""
    parts = (f"{_PARTS[column.type].format(quote_name(column.name))}, ','" for column in columns)
    return f"md5(concat({', '.join(parts)}))"
