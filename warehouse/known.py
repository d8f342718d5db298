"""What a corpus already knows, for a night that normalizes only what it touches."""

from pathlib import Path

from normalize import Candidate
from warehouse.connection import opened


def known_tools(path: Path) -> list[Candidate]:
    """Every tool of the file at `path`: products are found among all of them."""
    with opened(path, is_read_only=True) as connection:
        rows = connection.sql("SELECT tool_id, host, slug, name, tagline, category FROM tools").fetchall()
    return [Candidate(*row) for row in rows]
