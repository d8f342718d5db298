"""Names that are hard to tell from what stands around them."""

from random import Random

from builders.other_site.facts import Pair, named
from builders.other_site.kinds.kind import ALL_MEDIA, Kind
from builders.other_site.words import WORDS


def twins(pair: Pair, random: Random) -> Pair:
    name = random.choice(WORDS["names"])
    return named(pair, name, name)


def labels(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample([random.choice(WORDS["names_that_are_labels"]), pair.b.name], k=2))


def nested(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample(random.choice(WORDS["names_that_nest"]), k=2))


def with_separator(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample([random.choice(WORDS["names_with_separator"]), pair.a.name], k=2))


def other_scripts(pair: Pair, random: Random) -> Pair:
    return named(pair, *random.sample(WORDS["names_in_other_scripts"], k=2))


def _kind(name, facts, **more):
    return Kind("names", name, facts=facts, touches=frozenset({"names"}), media=ALL_MEDIA, **more)


KINDS = (
    _kind("two tools of one name", twins),
    _kind("name that is a label", labels),
    _kind("name begins with the other", nested),
    _kind("name holds vs", with_separator),
    _kind("names in other scripts", other_scripts),
)
