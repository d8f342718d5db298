"""Labels of a picture: as much of one as there is room for."""


def shortened(label: str, chars: int) -> str:
    """At most so many characters; what is cut ends in `…`."""
    return label if len(label) <= chars else label[: chars - 1].rstrip() + "…"
