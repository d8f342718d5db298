"""Options that several commands have."""

from pathlib import Path

import click

from commands.output import FORMATS

data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=Path("data"), show_default=True, help="The data folder."
)
format_option = click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
output_option = click.option("--output", type=click.Path(path_type=Path), help="A file. [default: standard output]")
