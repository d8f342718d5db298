"""Facts of one label, by their line. Pure."""

from collections.abc import Iterable

from verdicts.extract.model.records import Fact


def group_lines(facts: Iterable[Fact]) -> dict[int, list[Fact]]:
    """The labelled facts of each line, first met first."""
    lines: dict[int, list[Fact]] = {}
    for fact in facts:
        if fact.line is not None:
            lines.setdefault(fact.line, []).append(fact)
    return lines


def count_lines(facts: Iterable[Fact]) -> int:
    """The number behind the last line of these facts; 0 without a labelled one."""
    return 1 + max((fact.line for fact in facts if fact.line is not None), default=-1)
