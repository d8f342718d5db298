"""The state of the corpus: the last nights, current problems, and its size."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verdicts.commands.group import cli
from verdicts.commands.options import add_data, add_data_to_hints, config_option, data_option
from verdicts.commands.printing.summary import count_corpus, list_skips, print_columns, print_line, print_skips
from verdicts.pipeline.data_folder import DEFAULT_CONFIG, DataFolder
from verdicts.warehouse.serving.published import find_published

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verdicts.pipeline.nights.folder_status import Entry, FolderStatus


@cli.command()
@data_option
@config_option
@click.option("--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True)
def status(folder: DataFolder, config: Path | None, form: str) -> None:
    from verdicts.fetch.store.store import open_store
    from verdicts.pipeline.nights.folder_status import read_status
    from verdicts.pipeline.sources.config import load_config

    # A loaded dataset has a corpus, but no nights of its own.
    state, skips = None, []
    if folder.state.exists() or not folder.pointer.exists():
        with open_store(folder.root, command="status", read_only=True) as store:
            is_demo = config is None and not DEFAULT_CONFIG.exists()
            state = read_status(folder, store, is_demo=is_demo)
            skips = list_skips(store, state.newest_crawl, is_demo=is_demo) if state.newest_crawl else []
    settings = None if config is None and not DEFAULT_CONFIG.exists() else load_config(config)
    share_line = None if settings is None else settings.share_line
    name, counts, nothing = _read_corpus(folder)
    if form == "json":
        content = _describe_nights(state) | {
            "published": name,
            "corpus": counts,
            "share": share_line,
        }
        click.echo(json.dumps(content, ensure_ascii=False, indent=1, default=datetime.isoformat))
        return
    if share_line is not None:
        print_line(share_line)
    if state is not None:
        _print_nights(state)
        print_skips(skips)
        for line in state.why:
            print_line(line)
    print_line(nothing or f"{name}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))
    if state is not None:
        for line in _list_trouble(state):
            print_line(add_data_to_hints(line))


def _read_corpus(folder: DataFolder) -> tuple[str | None, dict[str, int], str]:
    """The name of the published copy and its counts, or why there is none."""
    from verdicts.warehouse.storage.warehouse_errors import NothingPublished

    try:
        copy = find_published(folder.serve)
    except NothingPublished as error:
        return None, {}, str(error)
    return copy.name, count_corpus(copy), ""


def _describe_nights(state: FolderStatus | None) -> dict[str, Any]:
    if state is None:
        nothing: dict[str, Any] = dict.fromkeys(
            ("nights", "left_alone", "why", "findings", "incidents", "undelivered"), ()
        )
        return {"running": None, **nothing}
    return {
        "running": state.running,
        "nights": [asdict(entry) for entry in state.entries],
        "left_alone": [asdict(skip) for skip in state.skips],
        "why": state.why,
        "findings": [asdict(finding) for finding in state.findings],
        "incidents": [asdict(incident) for incident in state.incidents],
        "undelivered": [asdict(item) for item in state.undelivered],
    }


def _print_nights(state: FolderStatus) -> None:
    if state.running is not None:
        print_line(f"running: {state.running}")
    rows = [
        (
            f"{entry.began_at:%Y-%m-%d %H:%M}",
            entry.kind,
            entry.status,
            "" if entry.exit_code is None else str(entry.exit_code),
            *_list_numbers(entry),
            _choose_words(entry),
        )
        for entry in state.entries
    ]
    print_columns(("began, UTC", "", "state", "exit", "fetched", "unchanged", "failed", "MB", "in words"), rows)


def _list_numbers(entry: Entry) -> tuple[str, str, str, str]:
    if entry.bytes is None:
        return "", "", "", ""
    return str(entry.fetched), str(entry.unchanged), str(entry.failed), f"{entry.bytes / 1e6:.1f}"


def _choose_words(entry: Entry) -> str:
    """A night that went well needs only the numbers beside it."""
    return "" if entry.status in {"done", "running"} else entry.words


def _list_trouble(state: FolderStatus) -> Iterator[str]:
    """What the doctor finds, open problems, and recipients who could not be alerted."""
    for finding in state.findings:
        yield f"wrong: {finding.what}; next: {add_data(finding.mend)}"
    for incident in state.incidents:
        yield f"open: {incident.line}"
    for item in state.undelivered:
        yield f"not reached: {item.address}, in night {item.night_id}: {item.why}"
