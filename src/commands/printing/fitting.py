"""How wide the columns of a table are where it is shown, so that it can be read."""

from collections.abc import Sequence

BORDER = 3
"""Characters between two columns; one more ends the table."""


def widths(needs: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Characters for each column of a table in `room`; None where one would have less than its `least`.

    What is left goes to the columns that need more, the shortest first: those are whole soonest.
    """
    left = room - 1 - BORDER * len(needs) - sum(least)
    if left < 0:
        return None
    fitted = list(least)
    wanting = sorted((place for place in range(len(needs)) if needs[place] > least[place]), key=needs.__getitem__)
    for position, place in enumerate(wanting):
        more = min(needs[place] - least[place], left // (len(wanting) - position))
        fitted[place] += more
        left -= more
    return fitted
