"""Runs the commands that a document shows, letter by letter, in the working folder.

    python .ci/documented.py DOCUMENT [--only HEADING] [--except HEADING]

A command is a line of a console block that begins with `$ `. They run in the order of the document, each in a shell of
its own; the first failure ends the run with its exit code.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

SERVING = {"uv run verdicts docs --open"}
"""Commands that serve until Ctrl-C: they get it as soon as they print their address."""

INTERRUPTED = 130


def read_commands(document: str) -> Iterator[tuple[str, str]]:
    """The commands of a document, each with the heading that it stands under."""
    heading, is_console = "", False
    for line in document.splitlines():
        if line.startswith("```"):
            is_console = line == "```console"
        elif is_console and line.startswith("$ "):
            yield heading, line.removeprefix("$ ")
        elif match := re.match("#+ (.+)", line):
            heading = match[1]


def run_command(command: str) -> int:
    """The exit code of the command; 0 for one that served its page and ended at Ctrl-C."""
    if command not in SERVING:
        return subprocess.run(["bash", "-c", command], check=False).returncode
    environment = os.environ | {"BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"], env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        print(process.stdout.readline(), end="", flush=True)
        os.killpg(process.pid, signal.SIGINT)
    return 0 if process.returncode == INTERRUPTED else process.returncode or 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=Path)
    parser.add_argument("--only", metavar="HEADING")
    parser.add_argument("--except", metavar="HEADING", dest="left_out")
    given = parser.parse_args()
    commands = [
        command
        for heading, command in read_commands(given.document.read_text(encoding="utf-8"))
        if given.only in {None, heading} and heading != given.left_out
    ]
    if not commands:
        sys.exit(f"{given.document} shows no command")
    for command in commands:
        print(f"$ {command}", flush=True)
        began = time.monotonic()
        code = run_command(command)
        print(f"exit {code} after {time.monotonic() - began:.0f} s\n", flush=True)
        if code:
            sys.exit(code)


if __name__ == "__main__":
    main()
