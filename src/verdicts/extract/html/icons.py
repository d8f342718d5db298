"""Recognizes icons, and gives their names and meanings."""

import re
from collections.abc import Mapping
from itertools import islice

from verdicts.extract.html.elements import ICON_TAGS, Element, walk_parts
from verdicts.extract.model.blocks import clean

YES, NO = "Yes", "No"

_MEANINGS = {
    **dict.fromkeys(("check", "checkmark", "checked", "checkbox-on", "tick", "yes", "ok", "done"), YES),
    **dict.fromkeys(("cross", "checkbox-off", "times", "xmark", "close", "clear", "remove", "no", "x"), NO),
}
"""`fa-check-circle`, `glyphicon-ok`, `bi-x-lg`, `icon-times`; `done` and `clear` of Material."""

_WHOLE_NAMES = frozenset({"check", "checkmark", "checkbox-on", "checkbox-off", "tick", "yes", "cross", "xmark"})
"""Classes with a meaning by themselves. `no` often means number."""

_SETS = frozenset(
    [
        *("icon", "icons", "ico", "fa", "fas", "far", "fal", "fab", "bi", "glyphicon", "lucide", "mdi"),
        *("dashicons", "feather", "heroicon", "tabler", "ti", "ri", "bx", "la", "las", "uil", "svg"),
    ]
)
"""Words of an icon class: `no-border` with `no` is not one."""

_BRANDS = frozenset({"brand", "brands", "twitter", "social", "logo"})
"""Beside these an `x` is a company: `fa-x-twitter`."""

_LIGATURES = re.compile(r"material-(?:icons|symbols)", re.IGNORECASE)
"""Classes of fonts that draw the word in an element: `<i class="material-icons">check</i>`."""

_WORD = re.compile(r"[a-z]+")


def read_icon_classes(classes: str) -> str | None:
    """`Yes` or `No`; None if the classes name neither, or both."""
    meanings = set()
    for name in classes.lower().split():
        words = _WORD.findall(name)
        if name in _WHOLE_NAMES:
            meanings.add(_MEANINGS[name])
        elif not _SETS.isdisjoint(words) and _BRANDS.isdisjoint(words):
            meanings |= {_MEANINGS[word] for word in words if word in _MEANINGS}
    return meanings.pop() if len(meanings) == 1 else None


def read_icon_name(name: str) -> str | None:
    """The meaning of an icon's own name: `check_circle` in a font, `#icon-tick` in a sprite, `cross.svg`."""
    words = _WORD.findall(name.lower())
    meanings = {_MEANINGS[word] for word in words if word in _MEANINGS}
    return meanings.pop() if len(meanings) == 1 and _BRANDS.isdisjoint(words) else None


_BOXES = frozenset({"checkbox", "radio"})

LABELS_MAX = 10
"""The most elements that together name an icon."""
NAME_MAX = 1_000
"""The most characters of a name: a label may be the whole page, in every cell."""
NAME_PARTS_MAX = 200
"""The most elements and texts to read for a name."""


def is_icon(element: Element) -> bool:
    tag, attributes = element.tag, element.attributes
    if tag in ICON_TAGS:
        # A picture of one pixel is a visit counter.
        is_pixel = "1" in {attributes.get("width"), attributes.get("height")}
        return not is_pixel and attributes.get("type", "").lower() != "hidden"
    classes = attributes.get("class", "")
    if _LIGATURES.search(classes):
        return True
    is_empty = not any(isinstance(child, Element) or not child.isspace() for child in element.children)
    role = attributes.get("role")
    return is_empty and (role in {"img", "checkbox"} or tag == "i" or classes != "")


_FILE = re.compile(r"\S+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)", re.IGNORECASE)
"""A file's name as the alternative text of a picture: nobody wrote it for a reader."""


def accessible_name(element: Element, ids: Mapping[str, Element]) -> str | None:
    """The accessible name by the element itself, in the standard's order, without its title."""
    tag, attributes = element.tag, element.attributes
    if not attributes and tag != "svg":
        return None
    labelled = attributes.get("aria-labelledby", "").split(maxsplit=LABELS_MAX)[:LABELS_MAX]
    labels = (ids[label] for label in labelled if label in ids)
    titles = (child for child in element.children if isinstance(child, Element) and child.tag == "title")
    alt = clean(attributes.get("alt", ""))
    return (
        clean(" ".join(map(shallow_text, labels)))
        or clean(attributes.get("aria-label", ""))
        or (alt if tag in {"img", "input"} and not _FILE.fullmatch(alt) else "")
        or (clean(" ".join(map(shallow_text, titles))) if tag == "svg" else "")
        or None
    )


def icon_meaning(icon: Element) -> str | None:
    """The meaning of an icon by its title, classes, word, file or symbol."""
    attributes = icon.attributes
    classes = attributes.get("class", "")
    if title := clean(attributes.get("title", "")):
        return title
    if attributes.get("type", "").lower() in _BOXES or attributes.get("role") == "checkbox":
        # The state of a disabled checkbox; an active one is a question: `<input type=checkbox name=compare>`.
        is_shown = "disabled" in attributes or attributes.get("aria-disabled") == "true"
        is_checked = "checked" in attributes or attributes.get("aria-checked") == "true"
        return (YES if is_checked else NO) if is_shown else None
    if _LIGATURES.search(classes):
        return read_icon_name(shallow_text(icon))
    address = attributes.get("src", "")
    for child in icon.children:
        if isinstance(child, Element) and child.tag == "use":
            address = child.attributes.get("href") or child.attributes.get("xlink:href") or address
    return read_icon_classes(classes) or read_icon_name(_last_name(address))


def _last_name(address: str) -> str:
    """`tick` from `/img/tick.svg?v=2` and from `/sprite.svg#tick`."""
    path, _, fragment = address.partition("#")
    return fragment or path.partition("?")[0].rpartition("/")[2].partition(".")[0]


def shallow_text(element: Element) -> str:
    """The text in an element, cut as the name of an icon is."""
    parts = islice(walk_parts(element), NAME_PARTS_MAX)
    return clean(" ".join(part[:NAME_MAX] for part in parts if isinstance(part, str))[:NAME_MAX])
