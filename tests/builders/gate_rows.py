"""A row of what a gate found: pages of a host that lost something."""

from verdicts.corpus.rows.runs import GateMeasureRow


def lost(host: str, state: str, measure: str, *examples: str) -> GateMeasureRow:
    return GateMeasureRow(
        "20261121T023001Z-0001",
        host,
        measure,
        "night",
        "page",
        130,
        104,
        0.005,
        1e-9,
        "hold",
        state,
        examples,
        "5",
        "1",
    )
