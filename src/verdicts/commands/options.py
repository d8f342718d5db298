"""Options and parameter types that several commands have."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from os.path import exists
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from verdicts.corpus.text import escape_unstorable, is_text
from verdicts.pipeline.data_folder import DataFolder

FORMATS = ("table", "csv", "json", "jsonl", "parquet")

SUFFIXES = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
"""The format of a file by the end of its name."""


class FolderPath(click.ParamType[DataFolder]):
    """A data folder whose path DuckDB can open: DuckDB needs UTF-8."""

    name = "path"

    def convert(self, value: str | DataFolder, param: click.Parameter | None, ctx: click.Context | None) -> DataFolder:
        if isinstance(value, DataFolder):
            return value
        whole = Path(value).absolute()
        if not is_text(str(whole)):
            self.fail(f"the path {escape_unstorable(value)!r} is not in UTF-8", param, ctx)
        if not next(filter(exists, (whole, *whole.parents))).is_dir():
            raise click.UsageError(f"{value} is not a folder; --data names the data folder")
        return DataFolder(Path(value))

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        return [CompletionItem(incomplete, type="dir")]


LOGGED = frozenset({"run", "crawl", "build", "ingest", "load", "publish", "rollback", "repair"})
"""Commands that write to the data folder; its log keeps their lines."""


DEFAULT_DATA = "data"

_chosen = [DEFAULT_DATA]
"""The data folder of the running command, for its messages."""

_HINT = re.compile(r"'(verdicts [a-z][^']*)'(?! \(process )")
"""A command to run in a message, `'verdicts repair' repairs it`; not a running one, which a process number follows."""

_WITHOUT_DATA = frozenset({"init", "docs"})


def add_data(command: str) -> str:
    """A command as a person types it: one of ours as this one was started, with its data folder unless it is `data`."""
    if command.startswith("sudo -u "):
        sudo, _, user, ours = command.split(maxsplit=3)
        return f"{sudo} -u {user} {add_data(ours)}"
    words = command.split()
    if words[0] != "verdicts":
        return command
    is_whole = _chosen[0] == DEFAULT_DATA or words[1] in _WITHOUT_DATA or "--data" in words
    return _UV * is_started_by_uv() + command + f" --data {shlex.quote(_chosen[0])}" * (not is_whole)


_UV = "uv run "


def is_started_by_uv() -> bool:
    """Whether `uv run` started this process: the command is then in no folder of the shell's PATH."""
    return "UV_RUN_RECURSION_DEPTH" in os.environ


def add_data_to_hints(message: str) -> str:
    """A message whose commands name the data folder of the running command."""
    return _HINT.sub(lambda hint: f"'{add_data(hint[1])}'", message)


def _start_log(ctx: click.Context, _: click.Parameter, folder: DataFolder) -> DataFolder:
    _chosen[0] = str(folder.root)
    if ctx.info_name in LOGGED and not ctx.params.get("dry_run"):
        from verdicts.pipeline.logs import log_to

        log_to(folder, ctx.info_name)
    return folder


data_option = click.option(
    "--data",
    "folder",
    type=FolderPath(),
    default=DEFAULT_DATA,
    show_default=True,
    envvar="VERDICTS_DATA",
    show_envvar=True,
    help="The data folder.",
    callback=_start_log,
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=None,
    help="The config. [default: verdicts.toml if it exists, else the bundled demo site]",
)
_format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), help="[default: by the name of the --output file, else table]"
)
_expanded_option = click.option(
    "-x",
    "--expanded",
    "is_expanded",
    is_flag=True,
    help="Show each column on its own line, with full values.",
)
_output_option = click.option(
    "--output", type=click.Path(path_type=Path), help="Write to this file. [default: standard output]"
)
force_option = click.option("--force", "is_forced", is_flag=True, help="Replace the file if it exists.")
_safe_option = click.option(
    "--safe", "is_safe", is_flag=True, help="Make CSV safe for spreadsheets: no text becomes a formula."
)


@dataclass(frozen=True, slots=True)
class Output:
    """How to write an answer: one of FORMATS, to a file or (None) standard output.

    `is_safe`: CSV for spreadsheets; `is_expanded`: a table with one line per column; `ids`: whether a table has `whole`
    ids, `short` ones on a terminal, or `none`, without what only programs need.
    """

    form: str
    target: Path | None
    is_safe: bool = False
    is_expanded: bool = False
    ids: str = "whole"


ids_option = click.option(
    "--ids", "ids", flag_value="short", default="none", help="Show ids in the table; a terminal shows their beginnings."
)


def output_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command `--format`, `--expanded`, `--safe`, `--output` and `--force`, as its parameter `output`."""

    @_format_option
    @_expanded_option
    @_safe_option
    @_output_option
    @force_option
    @wraps(command)
    def with_output(
        form: str | None,
        is_expanded: bool,
        is_safe: bool,
        output: Path | None,
        is_forced: bool,
        folder: DataFolder,
        **arguments: object,
    ) -> None:
        if output is not None:
            check_target(output, folder, is_forced=is_forced)
        written = _choose_form(form, output)
        if is_safe and written != "csv":
            raise click.UsageError("--safe works only with CSV")
        if is_expanded and written != "table":
            raise click.UsageError(f"--expanded works only with tables; {written} has every value whole")
        command(output=Output(written, output, is_safe, is_expanded), folder=folder, **arguments)

    return with_output


def check_target(file: Path, folder: DataFolder, *, is_forced: bool) -> None:
    """A usage error if no file may have this path: a file that a command did not make may be work of hours."""
    if folder.is_own(file):
        raise click.UsageError(f"{file} is in the data folder, whose files only nights write; write it elsewhere")
    if not file.parent.is_dir():
        raise click.UsageError(f"{file.parent} is not a folder; create it first")
    if file.is_dir():
        raise click.UsageError(f"{file} is a folder; name a file")
    if file.is_file() and not is_forced:
        raise click.UsageError(f"{file} already exists; --force replaces it")


def _choose_form(wanted: str | None, target: Path | None) -> str:
    """The wanted format, or that of the file's name. A conflict is a usage error."""
    if target is None:
        return wanted or "table"
    by_suffix = SUFFIXES.get(target.suffix.lower())
    if wanted is None and by_suffix is None:
        raise click.UsageError(f"{target.name} has an unknown ending; choose one with --format")
    if wanted is not None and by_suffix not in (None, wanted) and target.suffix:
        raise click.UsageError(f"{target.name} ends in {target.suffix}, but --format is {wanted}; leave one out")
    return wanted or by_suffix or "table"
