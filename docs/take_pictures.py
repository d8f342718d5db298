"""Takes the pictures of docs/pictures: `uv run --group browser python docs/take_pictures.py`, with Chromium installed.

The demo site is crawled into a temporary folder.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

PICTURES = Path(__file__).parent / "pictures"
VERDICTS = str(Path(sys.executable).parent / "verdicts")

COMPARISON = "/id/Amble Kernel vs Clavern Code"

VIEWS: dict[str, tuple[str, Literal["light", "dark"]]] = {
    "comparison-light": (COMPARISON, "light"),
    "comparison-dark": (COMPARISON, "dark"),
    "explore-reviewers": ("/reviewers", "light"),
    "explore-prices": ("/prices", "light"),
}
"""Name of each picture to the page that it shows, and its colours."""

WIDTH, HEIGHT = 1100, 760


def take_pictures(data: Path) -> None:
    command = [VERDICTS, "explore", "--data", str(data), "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser,
    ):
        assert serving.stdout is not None
        (address,) = re.findall(r"http://\S+?(?=/?;)", serving.stdout.readline())
        for name, (path, scheme) in VIEWS.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
            page.goto(address + path)
            page.screenshot(path=PICTURES / f"{name}.png")
        serving.terminate()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        subprocess.run([VERDICTS, "run", "--data", data], check=True, stdout=subprocess.DEVNULL)
        take_pictures(data)
