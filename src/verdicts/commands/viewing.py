"""Commands that open something to look at: the published file, pages over it, an assistant, documents, a notebook."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verdicts.commands.group import cli
from verdicts.commands.options import add_data_to_hints, check_target, config_option, data_option, force_option
from verdicts.pipeline import exit_codes
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.warehouse.serving.published import path_for_clients

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verdicts.warehouse.serving.named_queries import Query

SITE = Path(__file__).parent / "site"
"""The folder of the documents that docs/build_site.py writes, and every wheel contains."""

POLICY = "default-src 'self' data: 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
"""The browser loads nothing from other hosts. Scripts in the pages are the site's own search."""

_TEMPLATE = Path(__file__).parent / "notebook_to_fork.txt"
"""Not `.py`: it belongs to the reader, and imports packages that this project does not have."""

_open_option = click.option("--open", "is_opened", is_flag=True, help="Open it in the browser.")


_port_option = partial(
    click.option, "--port", type=click.IntRange(0, 65_535), show_default=True, help="0 takes any free port."
)


@cli.command()
@data_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help=(
        "Address or name to listen on; 0.0.0.0 is every address. With any other than the default, every request "
        "needs a token, which the printed address contains. VERDICTS_EXPLORE_TOKEN sets it."
    ),
)
@_port_option(default=8765)
@_open_option
@click.option("--edit", "is_edited", is_flag=True, help="Add buttons to the page of doubts, which record decisions.")
@config_option
def explore(folder: DataFolder, host: str, port: int, is_opened: bool, is_edited: bool, config: Path | None) -> None:
    """Only this machine reaches it, unless --host says otherwise."""
    from verdicts.commands.correcting import find_person
    from verdicts.explore.app import HOSTS, serve
    from verdicts.explore.editing import Editor
    from verdicts.pipeline.sources.config import load_config

    if is_edited and host not in HOSTS:
        raise click.UsageError("--edit records decisions under your name, so it works only without --host")

    folder.check_is_one()

    def announce(address: str) -> None:
        click.echo(f"{folder.root} is at {address}; press Ctrl-C to stop")
        if host not in HOSTS:
            click.echo(
                "warning: the connection is not encrypted: anyone on the network can read pages and token", err=True
            )
        if is_opened:
            click.launch(address)

    serve(folder, host, port, announce, Editor(find_person()) if is_edited else None, load_config(config))


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        # No cache: a new build shows at once.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Requests are not logged."""


@cli.command()
@_port_option(default=8766)
@_open_option
def docs(port: int, is_opened: bool) -> None:
    if not (SITE / "index.html").is_file():
        raise ConfigError(
            "the documents are not built; in a checkout run 'uv run --group docs python docs/build_site.py'"
        )
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(SITE)))
    except OSError as error:
        raise ConfigError(f"port {port} of 127.0.0.1 is not free ({error.strerror}); name another --port") from None
    with server:
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        click.echo(f"the documents are at {address}; press Ctrl-C to stop")
        if is_opened:
            click.launch(address)
        server.serve_forever()


@cli.command()
@data_option
@click.pass_context
def mcp(context: click.Context, folder: DataFolder) -> None:
    """An assistant starts it, and talks to it over standard input and output."""
    if find_spec("mcp") is None:
        click.echo("verdicts: the extra 'mcp' is not installed; in a checkout run 'uv sync --extra mcp'", err=True)
        context.exit(exit_codes.PARTIAL)
    if sys.stdin.isatty():
        click.echo("an assistant starts this command; 'verdicts docs' has its configuration", err=True)
    from verdicts.assistant.mcp_server import serve

    serve(folder, lambda error: add_data_to_hints(exit_codes.describe_error(error)))


@cli.command()
@data_option
def path(folder: DataFolder) -> None:
    click.echo(path_for_clients(folder.serve))


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@force_option
@data_option
def notebook(file: Path, is_forced: bool, folder: DataFolder) -> None:
    from verdicts.warehouse.serving.named_queries import list_queries
    from verdicts.warehouse.storage.durable import replace_text

    if file.suffix != ".py":
        raise click.UsageError(f"{file} does not end with .py, as a notebook must")
    check_target(file, folder, is_forced=is_forced)
    replace_text(file, write_notebook(Path(realpath(path_for_clients(folder.serve))), list_queries()))
    click.echo(f"{file}: open it with 'uvx marimo edit --sandbox {file}'")


def write_notebook(corpus: Path, questions: Iterable[Query]) -> str:
    """The notebook's source. It opens `corpus` on every run, and contains the questions."""
    listed = "".join(
        f"        {question.name!r}: (\n"
        f"            {question.question!r},\n"
        f"            {question.bind({})!r},\n"
        f'            r"""\n{question.sql.strip()}\n""",\n'
        f"        ),\n"
        for question in questions
    )
    source = _TEMPLATE.read_text(encoding="utf-8")
    return source.replace("__CORPUS__", repr(str(corpus))).replace("__QUESTIONS__", listed)
