"""Why one page was fetched or not, and what became of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from verdicts.commands.group import cli
from verdicts.commands.options import add_data_to_hints, config_option, data_option
from verdicts.commands.printing.summary import print_line
from verdicts.pipeline.data_folder import DataFolder

NAMES = 14
"""Characters of the column of names."""


@cli.command("why")
@click.argument("url")
@data_option
@config_option
@click.option("--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True)
def explain_page(url: str, folder: DataFolder, config: Path | None, form: str) -> None:
    """URL is an address in any spelling, also without https:// or as a path.

    Nothing is asked of the network: robots.txt counts as it was read last.
    """
    from verdicts.fetch.model.addresses import BadUrl
    from verdicts.inspection.inspect_address import explain_address
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config

    try:
        explanation = explain_address(folder, load_config(config), url, steps.now(), command="why")
    except BadUrl as error:
        raise click.UsageError(str(error)) from None
    if form == "json":
        click.echo(json.dumps(asdict(explanation), ensure_ascii=False, indent=1, default=datetime.isoformat))
        return
    print_line(explanation.answer)
    if explanation.todo is not None:
        print_line(f"What to do: {add_data_to_hints(explanation.todo)}.")
    click.echo()
    for name, lines in explanation.facts.items():
        for number, line in enumerate(lines):
            print_line(f"{'' if number else name:<{NAMES}}{line}")
