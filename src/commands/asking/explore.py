"""Pages to look at the published corpus with a browser."""

from pathlib import Path

import click

from verdicts.commands.options import data_option
from verdicts.pipeline import exit_codes


@click.command()
@data_option
@click.option("--port", type=click.IntRange(0, 65_535), default=8765, show_default=True, help="0: any that is free.")
@click.option("--open", "is_opened", is_flag=True, help="Open it in the browser.")
def explore(data: Path, port: int, is_opened: bool) -> int:
    """Look at the published corpus in a browser: pages on 127.0.0.1, until it is ended."""
    from verdicts.explore.app import serve
    from verdicts.pipeline.data_folder import DataFolder

    folder = DataFolder(data)
    folder.check_is_one()

    def started(address: str) -> None:
        click.echo(f"{data} is to be seen at {address}; Ctrl-C ends it")
        if is_opened:
            click.launch(address)

    serve(folder, port, started)
    return exit_codes.DONE


COMMANDS = (explore,)
