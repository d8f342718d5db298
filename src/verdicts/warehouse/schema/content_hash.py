"""The content hash of a row: MD5 of its values, in SQL that every version of DuckDB computes alike.

Each value is written as its length in bytes, a colon and its text, `5:Alpha`, or as `-` if it is NULL, so that NULL
differs from an empty text and no two rows are written alike. A comma separates values. DuckDB's own `hash()` differs
between its versions, and so does the text of its JSON.
"""

from collections.abc import Iterable, Mapping

from verdicts.corpus.columns import Column, SqlType
from verdicts.warehouse.storage.sql_files import quoted

_TEXTS: Mapping[SqlType, str] = {
    "VARCHAR": "{0}",
    "VARCHAR[]": "(len({0}) || chr(31) || coalesce(array_to_string({0}, chr(31)), ''))",
    "BIGINT": "{0}::VARCHAR",
    # -0.0 equals 0.0, but its text differs.
    "DOUBLE": "({0} + 0)::VARCHAR",
    "BOOLEAN": "{0}::VARCHAR",
    # Its own text depends on the time zone of the reader.
    "TIMESTAMPTZ": "epoch_us({0})::VARCHAR",
}
"""Type to the text of a value: a number is its shortest exact text, a time is microseconds since 1970, a list is its
length and its values with U+001F between."""


def content_hash(columns: Iterable[Column], of: str = "") -> str:
    """The SQL of the hash over `columns`. `of` is the alias of their relation, with its dot."""
    texts = (_TEXTS[column.type].format(of + quoted(column.name)) for column in columns)
    values = ", ',', ".join(f"coalesce(strlen({text}) || ':' || {text}, '-')" for text in texts)
    return f"md5(concat({values}))"
