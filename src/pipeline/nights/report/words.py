"""The night in words, the same in every form of the report. Pure."""

from collections.abc import Iterator
from datetime import timedelta

from verdicts.pipeline.exit_codes import STORAGE
from verdicts.pipeline.nights.ending import NightEnding, NightStatus
from verdicts.pipeline.nights.report.facts import Absent, Command, CorpusChanges, Gates, NightFacts

STATES: dict[NightStatus, str] = {
    "done": "published",
    "partial": "degraded",
    "held": "held",
    "failed": "down",
    "refused": "refused",
    "interrupted": "interrupted",
}
"""The state in a word."""

MEANINGS = {
    "published": "Readers have the night, all of it.",
    "degraded": "Readers have the night, but not all of it went well.",
    "held": "A gate keeps something back; of that, readers have what they had.",
    "down": "Readers have nothing of this night.",
    "refused": "Another run held the data folder; nothing was begun.",
    "interrupted": "The night was stopped; what was finished is kept, and the next run goes on from there.",
}

GLYPHS = {
    "published": "●",
    "degraded": "◐",
    "held": "■",
    "down": "✕",
    "interrupted": "○",
    "refused": "○",
    "killed": "?",
}
"""A state in the picture of the last nights. Shape first: not everybody sees the colours apart."""


NONE_LOST = "No page lost what it had beyond what is ordinary."

HOSTS_NAMED = 5
"""In a sentence."""


def state_of(ending: NightEnding) -> str:
    """The state in a word. A night that failed once readers had it is degraded."""
    if ending.status == "failed" and ending.published is not None:
        return "degraded"
    return STATES[ending.status]


def state_of_status(status: NightStatus | None) -> str:
    """The same for a night of the log."""
    return "killed" if status is None else STATES[status]


def sentences(facts: NightFacts) -> Iterator[str]:
    """What the night came to: why it is not simply published, then what is new."""
    ending = facts.ending
    if ending.status != "done":
        yield _why(facts)
    parts = [", ".join(part) for part in (_crawl_in_numbers(facts), _corpus_in_numbers(facts.corpus))]
    if any(parts):
        yield f"{'; '.join(filter(None, parts))}."


def commands(facts: NightFacts) -> tuple[Command, ...]:
    """What to type next; none where nothing is to be done, or what accepts a loss stands beside each of its hosts."""
    ending, gates = facts.ending, facts.gates
    if ending.status == "held":
        is_told = isinstance(gates, Gates) and gates.held.total and not gates.held.left
        return () if is_told else (Command("verdicts check"),)
    if ending.status == "failed":
        return (Command("verdicts doctor" if ending.exit_code == STORAGE else "verdicts run"),)
    if ending.status == "interrupted":
        return (Command("verdicts run"),)
    return (Command("verdicts status"),) if ending.status == "partial" else ()


def day_of(ending: NightEnding) -> str:
    """`21 November 2026`: the day on which the night began."""
    return f"{ending.began_at.day} {ending.began_at:%B %Y}"


def figures_of(facts: NightFacts) -> Iterator[tuple[str, str]]:
    """The numbers under the headline."""
    ending, crawled, gates = facts.ending, facts.crawled, facts.gates
    if not isinstance(crawled, Absent):
        yield "addresses", f"{crawled.addresses:,}"
        yield "stored anew", f"{crawled.stored:,}"
        yield "failed", f"{crawled.failed:,}"
    if not isinstance(gates, Absent) and gates.held.total:
        yield "hosts held", f"{gates.held.total:,}"
    yield "minutes", f"{(ending.ended_at - ending.began_at).total_seconds() / 60:,.1f}"


def age_in_words(age: timedelta) -> str:
    """`3 hours`, `12 days`: one number, rounded down."""
    hours = int(age.total_seconds()) // 3600
    if hours < 1:
        return "under an hour"
    return plural(hours, "hour") if hours < 48 else plural(hours // 24, "day")


def rest(left: int) -> str:
    """What stands under a list that was cut."""
    return f"and {left:,} more"


def _why(facts: NightFacts) -> str:
    ending, gates = facts.ending, facts.gates
    if ending.status == "held" and isinstance(gates, Gates) and gates.held.total:
        held = gates.held
        hosts = ", ".join(host.host for host in held.shown[:HOSTS_NAMED])
        left = held.total - min(HOSTS_NAMED, len(held.shown))
        named = hosts + (f" {rest(left)}" if left else "")
        return f"Held: {named}. Readers keep their rows as they were."
    return f"{ending.headline.rstrip('.')}."


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 page`, `2 pages`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _crawl_in_numbers(facts: NightFacts) -> Iterator[str]:
    if not isinstance(facts.crawled, Absent):
        yield f"{plural(facts.crawled.stored, 'page')} stored anew"
        yield f"{facts.crawled.unchanged:,} unchanged"
        yield f"{facts.crawled.failed:,} failed"


def _corpus_in_numbers(corpus: CorpusChanges | Absent) -> Iterator[str]:
    if isinstance(corpus, Absent):
        return
    if corpus.before is None:
        yield "the first copy for readers"
        return
    for changes, one in (
        (corpus.new_tools, "new tool"),
        (corpus.vanished_tools, "vanished tool"),
        (corpus.verdicts, "verdict that turned"),
        (corpus.prices, "price that changed"),
    ):
        if changes.total:
            noun, *clause = one.split(" that ")
            yield " that ".join([plural(changes.total, noun), *clause])
