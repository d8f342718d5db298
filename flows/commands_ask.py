"""Commands that ask of the published corpus. None of them takes the store's lock."""

from collections.abc import Callable
from pathlib import Path

import click

from fetch import open_store
from flows import failures, steps
from flows.folder import DataFolder
from flows.gates import check
from flows.show import show_id
from flows.status import print_status
from warehouse import ask, list_queries, published, rollback, write

Option = Callable[[Callable[..., int]], Callable[..., int]]
FORMATS = click.Choice(["table", "csv", "json", "parquet"])


def ask_commands(data_option: Option) -> list[click.Command]:
    """sql, query, show, status, check, path, rollback."""
    format_option = click.option("--format", "form", type=FORMATS, default="table", show_default=True)
    output_option = click.option("--output", type=click.Path(path_type=Path), help="A file. [default: standard output]")

    @click.command()
    @click.argument("statement")
    @format_option
    @output_option
    @data_option
    def sql(statement: str, form: str, output: Path | None, data: Path) -> int:
        """Ask the corpus one SELECT."""
        write(ask(published(DataFolder(data).serve), statement), form, output)
        return failures.DONE

    @click.command()
    @click.argument("name", required=False)
    @format_option
    @output_option
    @data_option
    def query(name: str | None, form: str, output: Path | None, data: Path) -> int:
        """Run a named question; without a name, list them."""
        questions = {question.name: question for question in list_queries()}
        if name is None:
            for question in questions.values():
                click.echo(f"{question.name:<28} {question.question}")
            return failures.DONE
        if name not in questions:
            raise click.UsageError(f"no query is called {name!r}; 'verdicts query' lists them")
        write(ask(published(DataFolder(data).serve), questions[name].sql), form, output)
        return failures.DONE

    @click.command()
    @click.argument("wanted", metavar="ID")
    @data_option
    def show(wanted: str, data: Path) -> int:
        """A review, tool or page with its source words and its evidence."""
        folder = DataFolder(data)
        click.echo(show_id(published(folder.serve), folder.raw, wanted))
        return failures.DONE

    @click.command()
    @data_option
    def status(data: Path) -> int:
        """The last nights and what the corpus covers."""
        with open_store(data, command="status", read_only=True) as store:
            print_status(store, DataFolder(data))
        return failures.DONE

    @click.command("check")
    @data_option
    def check_gates(data: Path) -> int:
        """The gates: whether the last night should reach its readers."""
        drift = steps.drift_now(DataFolder(data))
        click.echo(f"{drift.again:,} pages read again, {len(drift.lost):,} of them no comparisons any more")
        for url in drift.lost[:10]:
            click.echo(url)
        check(drift)
        return failures.DONE

    @click.command()
    @data_option
    def path(data: Path) -> int:
        """The file that readers open."""
        click.echo(published(DataFolder(data).serve))
        return failures.DONE

    @click.command("rollback")
    @data_option
    def roll_back(data: Path) -> int:
        """Point readers at the copy published before."""
        click.echo(rollback(DataFolder(data).serve))
        return failures.DONE

    return [sql, query, show, status, check_gates, path, roll_back]
