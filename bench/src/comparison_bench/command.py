"""The command `comparison-bench`: made pages whose answers are known, and the score of any reader on them."""

import sys
from collections import Counter
from pathlib import Path

import click

from comparison_bench.made_pages import write_pages
from comparison_bench.results import OUTCOMES, Answer, Counts, Result, ResultsBroken, read_lines
from comparison_bench.results import score as score_results

FOLDER = click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))


def main() -> None:
    """A file that cannot be read or written ends the command with one line."""
    try:
        cli()
    except OSError as error:
        sys.exit(f"Error: {error.filename}: {error.strerror}")
    except ResultsBroken as error:
        sys.exit(f"Error: {error}")


@click.group()
@click.version_option(package_name="comparison-bench")
def cli() -> None:
    """Make pages whose answers are known, and score the results of any reader on them."""


@cli.command()
@FOLDER
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed makes other pages.")
@click.option("--pages", type=click.IntRange(1, 20_000), default=400, show_default=True, help="How many pages.")
def make(folder: Path, seed: int, pages: int) -> None:
    """Write made pages and their answers to DIR."""
    if folder.exists() and any(folder.iterdir()):
        raise click.ClickException(f"{folder} is not an empty folder; name another one")
    write_pages(folder, seed, pages)
    click.echo(f"{folder / 'pages.jsonl'} names {pages:,} pages; 'comparison-bench score' takes a reader's results")


@cli.command()
@FOLDER
@click.argument("results", metavar="RESULTS", type=click.Path(dir_okay=False, path_type=Path))
def score(folder: Path, results: Path) -> None:
    """Show how many values of RESULTS are right, wrong and missing, by field and by layout.

    RESULTS has a JSON line for each page.
    """
    keys, given = read_lines(folder / "answers.jsonl", Answer), read_lines(results, Result)
    by_field, by_layout = score_results(keys, given)
    click.echo(f"results for {len(given):,} of {len(keys):,} pages")
    print_counts("field", by_field)
    print_counts("layout", by_layout)


def print_counts(title: str, counts: Counts) -> None:
    rows = {**counts, "all": sum(counts.values(), Counter())}
    width = max(map(len, (title, *rows)))
    click.echo(f"\n{title:{width}}" + "".join(f"{outcome:>9}" for outcome in OUTCOMES.values()))
    for name, count in rows.items():
        click.echo(f"{name:{width}}" + "".join(f"{count[outcome]:>9,}" for outcome in OUTCOMES.values()))
