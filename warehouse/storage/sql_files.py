"""The SQL files of the package, by folder. File name = relation name."""

from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

Folder: TypeAlias = Literal[
    "loading/audits",
    "loading/derived",
    "schema/catalog",
    "schema/internal",
    "schema/macros",
    "schema/migrations",
    "schema/views",
    "serving/queries",
    "serving/search",
]


PACKAGE = Path(__file__).parents[1]


@cache
def read_sql(folder: Folder) -> dict[str, str]:
    """Name of each relation in `folder` to the text of its file, sorted by name."""
    files = sorted((PACKAGE / folder).glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}
