"""The words of the other site: names, sentences, seats. They stand in `words.toml`."""

import tomllib
from random import Random

from builders.paths import BUILDERS

WORDS = tomllib.loads((BUILDERS / "other_site" / "words.toml").read_text(encoding="utf-8"))


def filled(sentence: str, random: Random) -> str:
    """The sentence with its slots filled."""
    low = random.randint(3, 60)
    return sentence.format(
        thing=random.choice(WORDS["things"]),
        rival=random.choice(WORDS["rivals"]),
        day=random.choice(WORDS["days"]),
        n=low,
        m=low + random.randint(3, 30),
        score=random.randint(60, 95),
    )
