"""What people are told of a night, in one message. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from verdicts.corpus.unicode_text import escaped
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.incidents import Changes, Incident

STATES = {
    "done": "fine",
    "partial": "partial",
    "held": "held back",
    "failed": "failed",
    "refused": "refused",
    "interrupted": "stopped",
}
"""A night's state in a word or two."""

LINES_MAX = 20
"""Incidents of a message, of each sort: more is read in the report."""


@dataclass(frozen=True, slots=True)
class Message:
    """Plain text, whose lines hold nothing that acts on a terminal."""

    title: str
    body: str


def message_of(ending: NightEnding, changes: Changes) -> Message:
    """One message for all that a night opened, reminds of, and closed."""
    # What holds a host back is said of the host.
    is_said = ending.status == "held" and any(incident.host for incident in changes.open)
    says = "readers have the rest" if is_said else escaped(ending.headline)
    parts = [
        [f"The night of {ending.began_at:%Y-%m-%d %H:%M} UTC is {STATES[ending.status]}: {says}"],
        _part("New", changes.opened),
        _part("Still", changes.reminders),
        _part("Over", changes.closed),
    ]
    return Message(_title(changes), "\n\n".join("\n".join(part) for part in parts if part))


def _title(changes: Changes) -> str:
    for word, incidents in (("", changes.opened), ("still: ", changes.reminders), ("over: ", changes.closed)):
        if incidents:
            first, *others = incidents
            more = f", and {len(others):,} more" if others else ""
            return f"verdicts: {word}{_subject(first)}{more}"
    return "verdicts: nothing new"


def incident_line(incident: Incident) -> str:
    """`a.example: held, since 2026-11-21: price: 104 of 130 pages lost prices ...`."""
    return f"{_subject(incident)}, since {incident.opened_at:%Y-%m-%d}: {escaped(incident.words)}"


def test_of(at: datetime) -> tuple[NightEnding, Message]:
    """A message that only shows that messages arrive, and the ending of a night that never was."""
    words = "a test: nothing is wrong, and messages arrive"
    return NightEnding("test", at, at, "done", 0, words), Message("verdicts: a test", words)


def _subject(incident: Incident) -> str:
    return f"{escaped(incident.host) or 'the night'}: {incident.cause}"


def _part(word: str, incidents: Sequence[Incident]) -> list[str]:
    if not incidents:
        return []
    lines = [f"- {incident_line(incident)}" for incident in incidents[:LINES_MAX]]
    more = [f"- and {len(incidents) - LINES_MAX:,} more"] if len(incidents) > LINES_MAX else []
    return [f"{word}:", *lines, *more]
