"""How many takes a panel can have given. Pure."""

from functools import lru_cache


def rounded_pct(ship: int, size: int) -> int | None:
    """The site's arithmetic: 2 of 3 is 67. None for an empty panel."""
    return None if size == 0 else int(100 * ship / size + 0.5)


@lru_cache(maxsize=128)
def sizes_with_pct(pct: int | None, largest: int) -> frozenset[int]:
    """The sizes of a panel, up to `largest`, of which some votes make a percentage. Every size without one."""
    sizes = range(1, largest + 1)
    if pct is None:
        return frozenset({0, *sizes})
    return frozenset(size for size in sizes if any(rounded_pct(ship, size) == pct for ship in range(size + 1)))
