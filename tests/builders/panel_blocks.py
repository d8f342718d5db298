"""Blocks of a comparison page, written line by line, for the tests of one parser of the panel's grammar."""

from collections.abc import Sequence

from verdicts.extract.model.blocks import Block
from verdicts.extract.panel.profile import SHIPPED, page_words

WORDS = page_words(SHIPPED["shiporskip"])

INTRO = ("AI tool comparison", "Alpha vs Bravo", "Which one should you ship with?")
ALPHA = ("Developer Tools", "Alpha", "Ships your branch", "75%", "Panel ship", "—", "Community", "Free", "Entry",
         "Alpha builds a branch, runs its tests and writes down what broke and since when.")  # fmt: skip
BRAVO = ("Productivity", "Bravo", "Reads your mail", "50%", "Panel ship", "—", "Community", "Paid", "Entry",
        "Bravo sorts what came in and drafts answers, which wait until you have read them.")  # fmt: skip
CLOSING = ("Weekly AI Tool Verdicts", "Get the next comparison in your inbox")


def blocks(*parts: str | Block | Sequence[str | Block]) -> tuple[Block, ...]:
    """Texts become blocks as a text dump has them; sequences are taken apart."""
    made: list[Block] = []
    for part in parts:
        if isinstance(part, Block):
            made.append(part)
        elif isinstance(part, str):
            made.append(Block(part))
        else:
            made += blocks(*part)
    return tuple(made)
