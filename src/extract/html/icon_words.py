"""What icons without a name mean: the words that icon sets have in their classes, addresses and ligatures."""

import re
from collections.abc import Mapping

YES, NO = "Yes", "No"

_MEANINGS = {
    **dict.fromkeys(("check", "checkmark", "checked", "tick", "yes", "ok", "done"), YES),
    **dict.fromkeys(("cross", "times", "xmark", "close", "clear", "remove", "no", "x"), NO),
}
"""`fa-check-circle`, `glyphicon-ok`, `bi-x-lg`, `icon-times`; `done` and `clear` of Material."""

_WHOLE_NAMES = {"check": YES, "checkmark": YES, "tick": YES, "yes": YES, "cross": NO, "xmark": NO}
"""Classes that mean it by themselves. `no` is often a number's."""

_SETS = frozenset(
    [
        "icon",
        "icons",
        "ico",
        "fa",
        "fas",
        "far",
        "fal",
        "fab",
        "bi",
        "glyphicon",
        "lucide",
        "mdi",
        "dashicons",
        "feather",
        "heroicon",
        "tabler",
        "ti",
        "ri",
        "bx",
        "la",
        "las",
        "uil",
        "svg",
    ]
)
"""Words that make a class one of an icon: `no` of `no-border` is none."""

_BRANDS = frozenset({"brand", "brands", "twitter", "social", "logo"})
"""Beside these an `x` is a company: `fa-x-twitter`."""

_LIGATURES = re.compile(r"material-(?:icons|symbols)")
"""Classes of fonts that draw the word that an element holds: `<i class="material-icons">check</i>`."""

_WORD = re.compile(r"[a-z]+")


def is_icon_class(classes: str) -> bool:
    """Whether an element with these classes is drawn as an icon."""
    lowered = classes.lower()
    return not (_SETS | _WHOLE_NAMES.keys()).isdisjoint(_WORD.findall(lowered)) or draws_its_word(classes)


def draws_its_word(classes: str) -> bool:
    """Whether the text of an element with these classes is the name of an icon."""
    return _LIGATURES.search(classes.lower()) is not None


def meaning_of_class(classes: str) -> str | None:
    """`Yes` or `No`; None where the classes name neither, or both."""
    found = set()
    for name in classes.lower().split():
        words = _WORD.findall(name)
        if name in _WHOLE_NAMES:
            found.add(_WHOLE_NAMES[name])
        elif not _SETS.isdisjoint(words) and _BRANDS.isdisjoint(words):
            found |= {_MEANINGS[word] for word in words if word in _MEANINGS}
    return found.pop() if len(found) == 1 else None


def meaning_of_words(name: str) -> str | None:
    """What an icon's own name means: `check_circle` of a font, `#icon-tick` of a sprite, `cross.svg` of a file."""
    words = _WORD.findall(name.lower())
    found = {_MEANINGS[word] for word in words if word in _MEANINGS}
    return found.pop() if len(found) == 1 and _BRANDS.isdisjoint(words) else None


def meaning_of_box(attributes: Mapping[str, str]) -> str | None:
    """What a box shows that nobody can tick; one that can be is a question: `<input type=checkbox name=compare>`."""
    is_shown = "disabled" in attributes or attributes.get("aria-disabled") == "true"
    if not is_shown:
        return None
    return YES if "checked" in attributes or attributes.get("aria-checked") == "true" else NO
