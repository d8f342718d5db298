"""How results are written: Markdown tables, medians with their spread."""

from collections.abc import Iterable, Sequence


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def spread(values: Sequence[float]) -> str:
    """Least and most: `0.41 to 0.47`."""
    return f"{min(values):.2f} to {max(values):.2f}"
