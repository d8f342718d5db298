"""The SQL files of the package, by the folder they stand in. File name = relation name."""

from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

Folder: TypeAlias = Literal[
    "audits", "catalog", "derived", "internal", "macros", "migrations", "queries", "schema", "scopes", "search", "views"
]


@cache
def statements(folder: Folder) -> dict[str, str]:
    """Name of each relation in `folder` to the text of its file, sorted by name."""
    files = sorted((Path(__file__).parent / folder).glob("*.sql"))
    return {file.stem: file.read_text(encoding="utf-8") for file in files}
