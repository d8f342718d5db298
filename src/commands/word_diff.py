"""Two wordings of one take, word by word. Texts in, one marked text out."""

from difflib import SequenceMatcher

CONTEXT = 6
"""Words shown before and after a difference; longer runs that are the same become `…`."""


def word_diff(text: str, other: str) -> str:
    """What `other` says in place of `text`: `[-words left out-]` and `{+words put in+}`, the rest as it is."""
    ours, theirs = text.split(), other.split()
    runs = SequenceMatcher(a=ours, b=theirs, autojunk=False).get_opcodes()
    parts: list[str] = []
    for at, (kind, a, b, c, d) in enumerate(runs):
        if kind == "equal":
            parts.append(_same(ours[a:b], is_first=at == 0, is_last=at == len(runs) - 1))
            continue
        if b > a:
            parts.append(f"[-{' '.join(ours[a:b])}-]")
        if d > c:
            parts.append(f"{{+{' '.join(theirs[c:d])}+}}")
    return " ".join(parts)


def _same(words: list[str], *, is_first: bool, is_last: bool) -> str:
    if is_first and is_last:
        return "the same words; only white space differs"
    before = [] if is_first else words[:CONTEXT]
    after = [] if is_last else words[-CONTEXT:]
    return " ".join(words if len(words) <= len(before) + len(after) + 1 else [*before, "…", *after])
