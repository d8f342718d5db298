"""Two wordings of one take, word by word. Texts in, one marked text out."""

from difflib import SequenceMatcher

CONTEXT = 6
"""Words shown before and after a difference; longer runs that are the same become `…`."""


def word_diff(text: str, other_text: str) -> str:
    """How `other_text` differs from `text`: `[-words left out-]` and `{+words put in+}`, the rest unmarked."""
    words, other_words = text.split(), other_text.split()
    runs = SequenceMatcher(a=words, b=other_words, autojunk=False).get_opcodes()
    parts: list[str] = []
    for number, (kind, start, end, other_start, other_end) in enumerate(runs):
        if kind == "equal":
            parts.append(_same(words[start:end], is_first=number == 0, is_last=number == len(runs) - 1))
            continue
        if end > start:
            parts.append(f"[-{' '.join(words[start:end])}-]")
        if other_end > other_start:
            parts.append(f"{{+{' '.join(other_words[other_start:other_end])}+}}")
    return " ".join(parts)


def _same(words: list[str], *, is_first: bool, is_last: bool) -> str:
    if is_first and is_last:
        return "the same words; only white space differs"
    before = [] if is_first else words[:CONTEXT]
    after = [] if is_last else words[-CONTEXT:]
    return " ".join(words if len(words) <= len(before) + len(after) + 1 else [*before, "…", *after])
