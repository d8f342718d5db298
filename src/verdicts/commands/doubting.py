"""`verdicts doubts`: doubtful rows, and a key for each decision."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from verdicts.commands.correcting import person
from verdicts.commands.group import cli
from verdicts.commands.options import data_option, with_data
from verdicts.commands.printing.summary import print_line, print_next
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import find_published

if TYPE_CHECKING:
    from pathlib import Path

    from verdicts.reading.doubts import Decision, Doubt

DECISIONS_MAX = DOUBTS_MAX = 100_000
"""The most corrections and doubts that are looked at."""

TEXT_CHARS = 400
"""The most characters of a text in the list."""


@cli.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum number of doubts.")
@click.option("--decide", "is_decided", is_flag=True, help="Ask for each on the terminal: accept or refuse with a key.")
@click.option("--by", metavar="NAME", help="The person who decides. [default: the user of git, else of this machine]")
@data_option
def doubts(limit: int, is_decided: bool, by: str | None, folder: DataFolder) -> None:
    """First come corrections that were not applied, then the doubts that affect most rows.

    Contradictions and unreadable pages need no decision: 'verdicts query doubts_by_rule' counts them.
    """
    from verdicts.pipeline.correction_files import read_corrections
    from verdicts.reading.doubts import read_doubts

    corpus = find_published(folder.serve)
    if is_decided and not sys.stdin.isatty():
        raise click.UsageError("--decide asks on a terminal; without it the commands are listed")
    found = read_doubts(corpus, read_corrections(folder), DOUBTS_MAX)
    is_empty = not _print_unapplied(corpus) and not found
    if is_empty:
        click.echo("no decision is needed")
    noted = 0
    for number, doubt in enumerate(found[:limit], start=1):
        _print(doubt, number, len(found))
        if not is_decided:
            for decision in doubt.decisions:
                print_line(f"    {decision.words}: {with_data(decision.command)}")
            continue
        key = _key_for(doubt)
        if key == "q":
            break
        if key != "s":
            noted += _note(folder, doubt, is_accepted=key == "y", by=person() if by is None else by)
    if noted:
        print_line(f"decisions recorded: {noted:,}; the next build applies them")
        print_next("verdicts build", "verdicts publish")


def _print_unapplied(corpus: Path) -> bool:
    """Prints the corrections that changed nothing. Returns whether there are any."""
    from verdicts.warehouse.serving.query import read_answer
    from verdicts.warehouse.serving.question_answers import ask_named

    with ask_named(corpus, "record_corrections", {"limit": str(DECISIONS_MAX)}) as question:
        unapplied = [made for made in read_answer(question).records if made["outcome"] != "applied"]
    for made in unapplied:
        named_by = f"correction {made['correction_id'][:12]} of {made['made_by']}, {made['made_at']:%Y-%m-%d}"
        detail = f": {made['detail']}" if made["detail"] else ""
        print_line(f"{made['outcome']}: {named_by} ({made['correction']} {made['subject']}){detail}")
        print_line("    check it again, or delete its entry in corrections/")
    return bool(unapplied)


def _print(doubt: Doubt, number: int, total: int) -> None:
    name, *texts = doubt.about
    print_line(f"{number}/{total:,}  {doubt.doubt}, {doubt.rows:,} rows: {name}")
    for text in texts:
        print_line(f"    {text if len(text) <= TEXT_CHARS else text[:TEXT_CHARS] + '…'}")


def _key_for(doubt: Doubt) -> str:
    """The key that the person pressed: y, n, s or q."""
    choices = {"y": doubt.accept.words, "s": "skip", "q": "quit"}
    if doubt.refuse is not None:
        choices["n"] = doubt.refuse.words
    click.echo("    " + "  ".join(f"[{key}] {choices[key]}" for key in "ynsq" if key in choices))
    while (key := click.getchar().lower()) not in choices:
        if key in {"\x03", "\x04", "\x1b"}:
            return "q"
    return key


def _note(folder: DataFolder, doubt: Doubt, *, is_accepted: bool, by: str) -> bool:
    from verdicts.pipeline import steps
    from verdicts.reading.doubts import WHY

    decision: Decision | None = doubt.accept if is_accepted else doubt.refuse
    if decision is None:
        return False
    entry = dict(decision.entry)
    if is_accepted and doubt.asks is not None:
        entry["value"] = click.prompt(f"    {doubt.asks}", type=float)
    made = steps.note_correction(folder, decision.kind, entry, by=by, why=WHY)
    print_line(f"    {decision.words}: correction {made.id[:12]} is noted")
    return True
