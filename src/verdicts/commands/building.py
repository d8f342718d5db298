"""Commands that fill the corpus: the whole night, its steps, and pages or datasets from files."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import config_option, data_option
from verdicts.commands.printing.summary import (
    list_skips,
    print_build,
    print_held,
    print_last,
    print_line,
    print_plan,
    print_skips,
    print_summary,
)
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.serving.published import find_published

if TYPE_CHECKING:
    from verdicts.pipeline.sources.saved_addresses import Addressed

_UNREADABLE_TOLD = 20
"""The most lines about unreadable files of an ingest; a damaged archive may have a million."""

_ENDINGS_TOLD = 8
"""The most endings to name of files that are not read: wget writes `index.html@p=2`, an ending a file."""


QUESTION = 'verdicts sql "SELECT name, panel_ship_pct, mean_score FROM tools ORDER BY mean_score DESC LIMIT 5"'


@cli.command()
@data_option
@config_option
@click.option("--all", "everything", is_flag=True, help="Fetch every known page, whether it is due or not.")
def run(folder: DataFolder, config: Path | None, everything: bool) -> int:
    from verdicts.pipeline.night import run_night
    from verdicts.pipeline.nights.reporting import load_night_config

    started = time.monotonic()
    night = run_night(folder.root, load_night_config(folder, config), everything=everything)
    print_summary(find_published(folder.serve), time.monotonic() - started, QUESTION)
    if night.status != "done":
        print_last(night.headline)
    return _choose_exit_code(str(night.status))


@cli.command()
@data_option
@config_option
@click.option("--all", "everything", is_flag=True, help="Fetch every known page, whether it is due or not.")
@click.option(
    "--dry-run", is_flag=True, is_eager=True, help="Show what would be fetched, what not, and why. Write nothing."
)
def crawl(folder: DataFolder, config: Path | None, everything: bool, dry_run: bool) -> int:
    from verdicts.fetch.run.endings import read_reasons
    from verdicts.fetch.run.why import reason_lines
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config

    settings = load_config(config)
    if settings.share_line is not None:
        print_line(settings.share_line)
    if dry_run:
        plan = steps.plan_crawl(folder.root, settings)
        print_plan(plan.urls)
        for line in reason_lines(plan.reasons, is_plan=True, is_demo=not settings.site):
            print_line(line)
        return exit_codes.PARTIAL if plan.is_partial else exit_codes.DONE
    steps.check_free_disk(folder.root, settings.care.min_free_gb)
    with open_store(folder.root, command="crawl") as store:
        record = steps.crawl_sites(store, settings, everything=everything)
        click.echo(steps.describe_crawl(record))
        print_skips(list_skips(store, record.crawl_id, is_demo=not settings.site))
        reasons = read_reasons(store, record.crawl_id)
        missing = steps.list_missing(store, record, reasons)
        steps.send_segments(store, folder, settings)
    for line in reason_lines(reasons, is_demo=not settings.site):
        print_line(line)
    for line in missing:
        print_last(f"done in part: {line}")
    return _choose_exit_code(record.status)


@cli.command()
@data_option
@config_option
@click.option("--all", "anew", is_flag=True, help="Read the whole raw store again.")
def build(folder: DataFolder, config: Path | None, anew: bool) -> int:
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import load_config

    settings = load_config(config)
    folder.check_is_one()
    with open_store(folder.root, command="build") as store:
        report = steps.build_corpus(store, folder, settings, anew=anew)
    print_build(report)
    print_held(report)
    return exit_codes.PARTIAL if report.failed else exit_codes.DONE


@cli.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--urls", type=click.Path(path_type=Path), help="CSV with path and url. [default: urls.csv beside the files]"
)
@click.option("--include", metavar="REGEX", help="Read only the records of archives whose address matches.")
@data_option
@config_option
def ingest(
    paths: tuple[str, ...], urls: Path | None, include: str | None, folder: DataFolder, config: Path | None
) -> int:
    from verdicts.fetch.model.addresses import BadPattern, compile_address_pattern
    from verdicts.fetch.model.outcome import SkipReason
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline import steps
    from verdicts.pipeline.build.record_files import why_nothing_was_read
    from verdicts.pipeline.sources.config import load_config
    from verdicts.pipeline.sources.page_files import count_unread, find_sources
    from verdicts.pipeline.sources.saved_addresses import address_sources

    started = time.monotonic()
    settings = load_config(config)
    files = [*map(Path, paths)]
    addressed = address_sources(find_sources(files, urls), files)
    try:
        wanted = None if include is None else compile_address_pattern(include)
    except BadPattern as error:
        raise click.UsageError(str(error)) from None
    steps.check_declarations(folder)
    _print_files(addressed, *count_unread(files))
    with open_store(folder.root, command="ingest") as store:
        record = steps.ingest_files(store, addressed.sources, wanted)
        for line in store.list_unreadable(record.crawl_id, _UNREADABLE_TOLD):
            print_line(f"verdicts: left out: {line}", is_error=True)
        if record.failed > _UNREADABLE_TOLD:
            more = f"{record.failed - _UNREADABLE_TOLD:,} more"
            click.echo(f"verdicts: and {more}; the table 'ops.fetches' has them all", err=True)
        skipped: Counter[str] = Counter()
        for skip in store.read_skips(record.crawl_id):
            skipped[skip.reason] += skip.skipped
        if forgotten := skipped[SkipReason.FORGOTTEN]:
            print_line(f"verdicts: {forgotten:,} pages are forgotten, and are not stored again", is_error=True)
        if revisits := skipped[SkipReason.REVISIT]:
            print_line(
                f"verdicts: {revisits:,} revisit records only repeat an earlier record, and are not stored",
                is_error=True,
            )
        if not store.index():
            why = "no page is in them" + (", or --include left all out" if include else "")
            print_last(f"nothing in {', '.join(paths)} could be read, and nothing was published: {why}")
            return exit_codes.PARTIAL
        report = steps.build_corpus(store, folder, settings)
        if why := why_nothing_was_read(folder.records.glob("*.parquet"), record.crawl_id):
            store.note_unread(record.crawl_id)
            print_last(
                f"nothing in {', '.join(paths)} could be read: {why}. Readers see no change until the next publication,"
                " which adds its rejects"
            )
            return exit_codes.PARTIAL
        corpus = steps.publish_corpus(folder, settings.care.keep)
    next_command = 'verdicts sql "SELECT attribution, count(*) AS reviews FROM reviews GROUP BY ALL ORDER BY ALL"'
    print_summary(corpus, time.monotonic() - started, next_command)
    print_held(report)
    return exit_codes.PARTIAL if record.failed or report.failed else exit_codes.DONE


def _print_files(addressed: Addressed, unread: Counter[str], parts: int) -> None:
    """Prints where the addresses of files come from, one line each, which have none, and what is no page."""
    for source, count, url in addressed.kinds:
        print_line(f"{count:,} address{'es' if count > 1 else ''} by {source}, such as {url}")
    if parts or addressed.indexes:
        print_line(f"skipped, because they are parts of saved pages: {parts + addressed.indexes:,} files")
    lines = [f"no address for {doubt}; name it in urls.csv" for doubt in addressed.doubts[:_UNREADABLE_TOLD]]
    if (more := len(addressed.doubts) - _UNREADABLE_TOLD) > 0:
        lines.append(f"and no address for {more:,} more")
    if unread:
        most = (f"{count:,} {ending}" for ending, count in unread.most_common(_ENDINGS_TOLD))
        lines.append(f"skipped in folders: {', '.join(most)}{' and others' * (len(unread) > _ENDINGS_TOLD)}")
    for line in lines:
        print_line(f"verdicts: {line}", is_error=True)


@cli.command()
@click.argument("directory", type=click.Path(path_type=Path))
@data_option
def load(directory: Path, folder: DataFolder) -> None:
    from verdicts.pipeline import steps
    from verdicts.pipeline.sources.config import DEMO

    started = time.monotonic()
    keep = DEMO.care.keep
    steps.load_dataset(folder, directory)
    print_summary(steps.publish_corpus(folder, keep), time.monotonic() - started, "verdicts query")


@cli.command()
@click.argument("url", required=False)
@click.option("--contact", help="Your mailbox or page, sent with every request.")
@click.option(
    "--config", type=click.Path(path_type=Path), default=Path("verdicts.toml"), show_default=True, help="Write it here."
)
def init(url: str | None, contact: str | None, config: Path) -> None:
    from verdicts.pipeline.sources.config import fill_template, write_template

    if url is None:
        write_template(config, fill_template({}))
        todo = "put your contact into user_agent and your site into [[site]]"
    else:
        from importlib.metadata import version

        from verdicts.fetch.model.addresses import BadUrl
        from verdicts.fetch.model.fetch_errors import AttemptFailed, ContactMissing
        from verdicts.fetch.run.first_look import look_at

        named = f"verdicts/{version('verdicts')}" + (f" (+{contact})" if contact else "")
        user_agent = named if contact else os.environ.get("VERDICTS_USER_AGENT", named)
        try:
            look = look_at(url, user_agent)
        except BadUrl as error:
            raise click.UsageError(f"{error}; write it as in a browser: https://shop.example/compare") from None
        except (AttemptFailed, ContactMissing) as error:
            raise click.UsageError(f"{url}: {error}; nothing is written") from None
        values = {
            "user_agent": user_agent,
            "hosts": look.hosts,
            "start_urls": [look.url],
            "include": look.include,
            "exclude": [],
            "delay_s": look.delay_s,
        }
        write_template(config, fill_template(values, allow_private=look.is_private))
        print_line(look.in_words)
        todo = "choose include and exclude"
    click.echo(f"{config}: {todo}, then run 'verdicts crawl --dry-run --config {config}'")


def _choose_exit_code(status: str) -> int:
    return exit_codes.DONE if status == "done" else exit_codes.PARTIAL
