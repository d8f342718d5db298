"""A marimo notebook over the published copy: a file of its own, which needs this program no more."""

from __future__ import annotations

from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.options import data_option
from verdicts.pipeline import exit_codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdicts.warehouse.serving.named_queries import Query

_TEMPLATE = Path(__file__).parent / "notebook_to_fork.txt"
"""No `.py`: it is the reader's, and imports what this project does not have."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE where there is one.")
@data_option
def notebook(file: Path, force: bool, data: Path) -> int:
    """Write a marimo notebook over the published copy to FILE, to fork."""
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.named_queries import list_queries
    from verdicts.warehouse.serving.published import published
    from verdicts.warehouse.storage.durable import replace_text

    folder = DataFolder(data)
    _check(file, data, is_replaced=force)
    published(folder.serve)
    replace_text(file, notebook_over(Path(realpath(folder.serve)), list_queries()))
    click.echo(f"{file}: open it with 'uvx marimo edit --sandbox {file}'")
    return exit_codes.DONE


def notebook_over(serve: Path, questions: Iterable[Query]) -> str:
    """The notebook's source. It reads the pointer in `serve` whenever it runs, and holds the questions as they are."""
    listed = "".join(
        f"        {question.name!r}: (\n"
        f"            {question.question!r},\n"
        f"            {question.bound({})!r},\n"
        f'            r"""\n{question.sql.strip()}\n""",\n'
        f"        ),\n"
        for question in questions
    )
    source = _TEMPLATE.read_text(encoding="utf-8")
    return source.replace("__SERVE__", repr(str(serve))).replace("__QUESTIONS__", listed)


def _check(file: Path, data: Path, *, is_replaced: bool) -> None:
    if file.suffix != ".py":
        raise click.UsageError(f"{file} does not end with .py, which a notebook is")
    if Path(realpath(file)).is_relative_to(realpath(data)):
        raise click.UsageError(f"{file} is in the data folder; a notebook there would get in its way")
    if not file.parent.is_dir():
        raise click.UsageError(f"{file.parent} is no folder")
    if file.is_dir():
        raise click.UsageError(f"{file} is a folder")
    if file.exists() and not is_replaced:
        raise click.UsageError(f"{file} is there already, and may be your work; --force replaces it")


COMMANDS = (notebook,)
