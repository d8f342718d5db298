"""`verdicts bench`: made pages whose answers are known, and the score of any reader on them."""

from collections import Counter
from pathlib import Path

import click

from verdicts.commands.group import cli
from verdicts.commands.printing.output import print_table
from verdicts.pipeline.errors import ConfigError


@cli.group()
def bench() -> None:
    pass


@bench.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed makes other pages.")
@click.option("--pages", type=click.IntRange(1, 20_000), default=400, show_default=True, help="How many pages.")
def make(folder: Path, seed: int, pages: int) -> None:
    from verdicts.bench.made_pages import write_pages

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} is not an empty folder; name another one")
    write_pages(folder, seed, pages)
    click.echo(f"{folder / 'pages.jsonl'} names {pages:,} pages; 'verdicts bench score' takes the results of a reader")


@bench.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
def score(folder: Path, results: Path) -> None:
    """RESULTS has a JSON line for each page, as docs/bench.md says."""
    from verdicts.bench.results import OUTCOMES, Answer, Result, ResultsBroken, read_lines
    from verdicts.bench.results import score as scored
    from verdicts.warehouse.serving.query import Answer as Table

    for path, remedy in (
        (folder / "answers.jsonl", "'verdicts bench make' writes it"),
        (results, "a reader writes it"),
    ):
        if not path.is_file():
            raise ConfigError(f"{path} is not a file; {remedy}")
    try:
        keys, given = read_lines(folder / "answers.jsonl", Answer), read_lines(results, Result)
        by_field, by_layout = scored(keys, given)
    except ResultsBroken as error:
        raise ConfigError(str(error)) from None
    click.echo(f"results for {len(given):,} of {len(keys):,} pages\n")
    for title, counts in (("field", by_field), ("layout", by_layout)):
        rows = [*counts.items(), ("all", sum(counts.values(), Counter()))]
        cells = [(name, *(count[outcome] for outcome in OUTCOMES.values())) for name, count in rows]
        types = ("VARCHAR", *("BIGINT" for _ in OUTCOMES))
        print_table(Table((title, *OUTCOMES.values()), types, cells))
