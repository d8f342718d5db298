"""Chromium of the system over the pages of `verdicts explore`, which a thread serves."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from verdicts.explore.app import make_app
from verdicts.pipeline.data_folder import DataFolder

CHROMIUM = "/usr/bin/chromium"
WIDE, NARROW = 1100, 390
HEIGHT = 800


@contextmanager
def serve_pages(folder: DataFolder) -> Iterator[str]:
    """The pages on a free port: their address without the last slash."""
    server = uvicorn.Server(uvicorn.Config(make_app(folder), port=0, log_level="error"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def browser() -> Iterator[Any]:
    """One Chromium; a test that asks for it is skipped where it, or Playwright, is not installed."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="uv sync --group dev --group browser installs Playwright"
    )
    if not os.access(CHROMIUM, os.X_OK):
        pytest.skip(f"there is no {CHROMIUM}: apt-get install chromium")
    # As root Chromium runs without its own sandbox only.
    arguments = ["--disable-dev-shm-usage", "--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with driver.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield chromium
        chromium.close()


@dataclass
class Tab:
    """A tab that notes what a page must never do."""

    page: Any
    address: str
    faults: list[str] = field(default_factory=list)

    @classmethod
    def open_at(cls, chromium: Any, address: str, **options: Any) -> "Tab":
        tab = cls(chromium.new_page(**options), address)
        tab.page.on("request", lambda request: tab._note_request(request.url))
        tab.page.on("pageerror", lambda error: tab.faults.append(f"error {error}"))
        tab.page.on("console", lambda said: tab.faults.append(f"console {said.text}") if said.type == "error" else None)
        tab.page.on("dialog", tab._dialog)
        return tab

    def open(self, path: str) -> int:
        """The status of the answer."""
        status: int = self.page.goto(self.address + path).status
        return status

    def overflow(self) -> int:
        """Pixels that the page is wider than the window."""
        pixels: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return pixels

    def links(self) -> list[str]:
        """Paths of our own pages that this one leads to, the questions and files to save left out."""
        found = self.page.eval_on_selector_all(
            "a[href]", "links => links.map(link => new URL(link.getAttribute('href'), link.baseURI).href)"
        )
        own = [urlsplit(link) for link in found if link.startswith(self.address)]
        return [f"{link.path}?{link.query}".rstrip("?") for link in own if not link.path.endswith((".csv", ".json"))]

    def _note_request(self, url: str) -> None:
        if not url.startswith((self.address, "data:")):
            self.faults.append(f"asked for {url}")

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog {dialog.message}")
        dialog.dismiss()
