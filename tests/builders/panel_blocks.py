"""Blocks of a comparison page, written line by line, for the tests of one parser of the panel's grammar."""

from collections.abc import Sequence

from verdicts.extract.model.blocks import Block
from verdicts.extract.panel.profile import SHIPPED
from verdicts.extract.panel.texts import page_words

WORDS = page_words(SHIPPED["shiporskip"])

INTRO = ("AI tool comparison", "Alpha vs Bravo", "Which one should you ship with?")
ALPHA = ("Developer Tools", "Alpha", "Ships your branch", "75%", "Panel ship", "—", "Community", "Free", "Entry",
         "Alpha builds a branch, runs its tests and writes down what broke and since when.")  # fmt: skip
BRAVO = ("Productivity", "Bravo", "Reads your mail", "50%", "Panel ship", "—", "Community", "Paid", "Entry",
        "Bravo sorts what came in and drafts answers, which wait until you have read them.")  # fmt: skip
DECISION = ("Decision", "Alpha", "Bravo", "Panel verdict", "Ship · 3 ship / 1 skip", "Mixed · 2 ship / 2 skip",
            "Pricing", "Free tier / $20/mo Pro", "$9/mo")  # fmt: skip
TAKES = ("Reviewer scorecard", "“Alpha took one command.”", "“Bravo hid an invoice.”")
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


def quotes_page(
    *,
    alpha: Sequence[str | Block] = ALPHA,
    bravo: Sequence[str | Block] = BRAVO,
    decision: Sequence[str | Block] = (),
    takes: Sequence[str | Block] = TAKES,
    closing: Sequence[str | Block] = CLOSING,
) -> tuple[Block, ...]:
    """A whole page as the quotes dump has it, with other parts where they are given."""
    return blocks(INTRO, alpha, bravo, decision, takes, closing)


def innertext_page() -> tuple[Block, ...]:
    """A whole page as the innertext dump has it: monogram, chip, `Community` without a value, the Decision table."""
    alpha = ("A", *ALPHA[:3], "Ship", *ALPHA[3:5], *ALPHA[6:])
    bravo = ("B", *BRAVO[:3], "Mixed", *BRAVO[3:5], *BRAVO[6:])
    takes = ("Reviewer scorecard", "Builder", "88/100 · ship", "Alpha took one command.", "No panel take")
    return blocks("Compare/Alpha vs Bravo", INTRO, alpha, bravo, DECISION, takes, CLOSING)


def texts(page: Sequence[Block], section: range) -> list[str]:
    return [page[index].text for index in section]
