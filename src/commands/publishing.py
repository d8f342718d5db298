"""Commands around the published corpus: publish it, export it, name its file, go back to an earlier one."""

from collections.abc import Iterable
from pathlib import Path

import click

from verdicts.commands.options import LazyChoice, config_option, data_option
from verdicts.pipeline import exit_codes


@click.command()
@data_option
@config_option
def publish(data: Path, config: Path | None) -> int:
    """A read-only copy of the warehouse for readers."""
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.sources.config import load_config

    click.echo(steps.publish_corpus(DataFolder(data), load_config(config).care.keep))
    return exit_codes.DONE


def _tables() -> Iterable[str]:
    from verdicts.warehouse.exporting.manifest import DATASET_TABLES

    return DATASET_TABLES


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--table", "tables", multiple=True, type=LazyChoice(_tables), help="Only this one; may be given again.")
@click.option("--format", "forms", default="parquet", show_default=True, help="Of parquet, csv, jsonl.")
@data_option
def export(directory: Path, tables: tuple[str, ...], forms: str, data: Path) -> int:
    """The published corpus as a dataset in DIRECTORY."""
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.exporting.export import FORMS

    chosen = tuple(dict.fromkeys(form.strip() for form in forms.split(",")))
    if unknown := set(chosen) - set(FORMS):
        raise click.UsageError(f"no format {min(unknown)!r}; there are {', '.join(FORMS)}")
    report = steps.export_dataset(DataFolder(data), directory, tables=tables or None, forms=chosen)
    click.echo(f"{report.target}: {len(report.files)} files")
    return exit_codes.DONE


@click.command()
@data_option
def path(data: Path) -> int:
    """The file that readers open."""
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.warehouse.serving.published import published

    click.echo(published(DataFolder(data).serve))
    return exit_codes.DONE


@click.command("rollback")
@data_option
def roll_back(data: Path) -> int:
    """Point readers at the copy published before."""
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder

    click.echo(steps.roll_back(DataFolder(data)))
    return exit_codes.DONE


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--warc", type=click.Path(path_type=Path), help="Write the records as .warc.gz, too, and index that.")
@click.option("--url", "prefix", default="", help="Only addresses that begin so.")
@data_option
def cdxj(file: Path, warc: Path | None, prefix: str, data: Path) -> int:
    """An index of the raw store in FILE, for pywb and other tools of web archives."""
    from verdicts.fetch.care.cdxj import cdx_records, write_index, write_warc
    from verdicts.fetch.store.store import open_store

    with open_store(data, command="cdxj", read_only=True) as store:
        records = cdx_records(store, prefix)
        lines = write_index(file, records if warc is None else write_warc(warc, store, records))
    click.echo(f"{file}: {lines:,} records")
    return exit_codes.DONE


COMMANDS = (publish, export, cdxj, path, roll_back)
