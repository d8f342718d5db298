"""Products: which tools seem to be one product. A suggestion for grouping, never an identity."""

from normalize.text import fold_name


def product(name: str, host: str | None) -> str:
    """The folded display name, within its host: `Codestral 2` and `Codestral 2.0` stay apart."""
    return fold_name(name) if host is None else f"{host}/{fold_name(name)}"
