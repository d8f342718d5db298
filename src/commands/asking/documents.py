"""The documents as a site, on this machine alone."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from verdicts.pipeline import exit_codes

SITE = Path(__file__).parents[1] / "site"
"""Where docs/build_site.py puts it, and where a wheel has it that was built afterwards."""

POLICY = "default-src 'self' data: 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
"""The browser asks nobody else for anything. Scripts stand within the pages: it is the site's own search."""


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        # Built anew, it is shown anew.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing of a request."""


@click.command()
@click.option("--port", type=click.IntRange(0, 65_535), default=8766, show_default=True, help="0: any that is free.")
@click.option("--open", "is_opened", is_flag=True, help="Open it in the browser.")
def docs(port: int, is_opened: bool) -> int:
    """The documents with search: a site on 127.0.0.1, until it is ended."""
    from verdicts.pipeline.errors import ConfigError

    if not (SITE / "index.html").is_file():
        raise ConfigError("the documents are not built; in a checkout run 'uv run python docs/build_site.py'")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(SITE)))
    except OSError as error:
        raise ConfigError(f"port {port} of 127.0.0.1 cannot be had ({error.strerror}); name another --port") from None
    with server:
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        click.echo(f"the documents are at {address}; Ctrl-C ends it")
        if is_opened:
            click.launch(address)
        server.serve_forever()
    return exit_codes.DONE


COMMANDS = (docs,)
