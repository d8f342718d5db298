"""Commands that keep the data folder on another disk, and bring it back."""

from pathlib import Path

import click

from verdicts.commands.options import config_option, data_option
from verdicts.pipeline import exit_codes


@click.command("backup")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@data_option
@config_option
def back_up(directory: Path | None, data: Path, config: Path | None) -> int:
    """A verified copy of the data folder in DIRECTORY, also while a night runs. [default: backup_dir]."""
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder
    from verdicts.pipeline.sources.config import load_config

    target = directory or load_config(config).care.backup_dir
    if target is None:
        raise click.UsageError("name a folder, or set backup_dir in [care] of the config")
    report = steps.back_up(DataFolder(data), target)
    click.echo(
        f"{target}: backup {report.backup.backup_id}, {len(report.backup.files):,} files,"
        f" {report.backup.bytes / 1e6:,.1f} MB; new: {report.new:,} files, {report.new_bytes / 1e6:,.1f} MB"
    )
    return exit_codes.DONE


@click.command("restore")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--backup", "backup_id", help="Which one, by the first characters of its id. [default: the newest]")
@click.option("--test", "is_test", is_flag=True, help="Restore into a scratch folder, verify it and remove it again.")
@data_option
def restore_data(directory: Path, backup_id: str | None, is_test: bool, data: Path) -> int:
    """A data folder, which must be empty, out of a backup in DIRECTORY."""
    from verdicts.pipeline import steps
    from verdicts.pipeline.data_folder import DataFolder

    if is_test:
        tested = steps.rehearse_restore(directory)
        if tested.problem is not None:
            click.echo(f"backup {tested.backup_id} cannot be restored: {tested.problem}", err=True)
            return exit_codes.STORAGE
        click.echo(f"backup {tested.backup_id} can be restored: every record and every row is there")
        return exit_codes.DONE
    restored = steps.restore(directory, DataFolder(data), backup_id)
    click.echo(
        f"{data}: backup {restored.backup.backup_id} of {restored.backup.taken_at:%Y-%m-%d %H:%M} UTC, verified:"
        f" {len(restored.backup.files):,} files, {restored.records:,} records"
    )
    return exit_codes.DONE


COMMANDS = (back_up, restore_data)
