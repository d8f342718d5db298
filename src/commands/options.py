"""Options and parameter types that several commands have."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from corpus.unicode_text import escaped, is_text
from pipeline.data_folder import DataFolder
from pipeline.logs.log_file import log_to

FORMATS = ("table", "csv", "json", "parquet")


class LazyChoice(click.ParamType[str]):
    """One of some names, which `load` gives: called only to check a value or to print the help of the command."""

    name = "choice"

    def __init__(self, load: Callable[[], Iterable[str]]) -> None:
        self.load = load

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return self._choice().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return self._choice().get_metavar(param, ctx)

    def _choice(self) -> click.Choice[str]:
        return click.Choice(list(self.load()))


class FolderPath(click.ParamType[Path]):
    """A folder whose path DuckDB can open: it takes UTF-8 alone."""

    name = "path"

    def convert(self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not is_text(str(Path(value).absolute())):
            self.fail(f"the path {escaped(str(value))!r} is not in UTF-8", param, ctx)
        return Path(value)


LOGGED = frozenset({"run", "crawl", "build", "ingest", "load", "publish", "rollback", "repair", "compact", "replay"})
"""Commands whose lines are kept in the log of the data folder: those that write there."""


def _log(ctx: click.Context, _: click.Parameter, data: Path) -> Path:
    if ctx.info_name in LOGGED and not ctx.params.get("dry_run"):
        log_to(DataFolder(data), ctx.info_name)
    return data


data_option = click.option(
    "--data",
    type=FolderPath(),
    default=Path("data"),
    show_default=True,
    help="The data folder.",
    callback=_log,
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=None,
    help="What to crawl. [default: verdicts.toml where it exists, else the bundled demo site]",
)
_format_option = click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
_output_option = click.option("--output", type=click.Path(path_type=Path), help="A file. [default: standard output]")
_safe_option = click.option(
    "--safe", "is_safe", is_flag=True, help="CSV for spreadsheets: no text of a page is taken for a formula."
)


@dataclass(frozen=True, slots=True)
class Output:
    """How an answer is written: in one of FORMATS, to a file or, None, standard output, as CSV for spreadsheets."""

    form: str
    target: Path | None
    is_safe: bool


def output_options(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command `--format`, `--safe` and `--output`, as its parameter `output`."""

    @_format_option
    @_safe_option
    @_output_option
    @wraps(command)
    def with_output(form: str, is_safe: bool, output: Path | None, **arguments: object) -> int:
        if is_safe and form != "csv":
            raise click.UsageError("--safe is for spreadsheets: it goes with --format csv")
        data = arguments["data"]
        if output is not None and isinstance(data, Path) and DataFolder(data).is_own(output):
            raise click.UsageError(f"{output} belongs to the data folder; an answer there would damage it")
        return command(output=Output(form, output, is_safe), **arguments)

    return with_output
