"""`verdicts doubts`: doubtful rows, and the commands that settle them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import add_data, data_option
from verdicts.commands.printing.summary import print_line
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import find_published

if TYPE_CHECKING:
    from pathlib import Path

    from verdicts.reading.doubts import Doubt

DECISIONS_MAX = DOUBTS_MAX = 100_000
"""The most corrections and doubts that are looked at."""

TEXT_CHARS = 400
"""The most characters of a text in the list."""


@cli.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum number of doubts.")
@data_option
def doubts(limit: int, folder: DataFolder) -> None:
    """First come corrections that were not applied, then the doubts that affect most rows.

    Contradictions and unreadable pages need no decision: 'verdicts query doubts_by_rule' counts them.
    """
    from verdicts.pipeline.correction_files import read_corrections
    from verdicts.reading.doubts import read_doubts

    corpus = find_published(folder.serve)
    listed = read_doubts(corpus, read_corrections(folder), DOUBTS_MAX)
    has_unapplied = _print_unapplied(corpus)
    if not listed and not has_unapplied:
        click.echo("no decision is needed")
    for number, doubt in enumerate(listed[:limit], start=1):
        _print_doubt(doubt, number, len(listed))


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


def _print_doubt(doubt: Doubt, number: int, total: int) -> None:
    name, *texts = doubt.about
    print_line(f"{number}/{total:,}  {doubt.doubt}, {doubt.rows:,} rows: {name}")
    for text in texts:
        print_line(f"    {text if len(text) <= TEXT_CHARS else text[:TEXT_CHARS] + '…'}")
    for decision in doubt.decisions:
        print_line(f"    {decision.words}: {add_data(decision.command)}")
