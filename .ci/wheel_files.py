"""Fails where the files of a wheel are not those of its package in the checkout: `.ci/wheel_files.py WHEEL...`."""

import subprocess
import sys
import zipfile
from pathlib import Path

SOURCES = {"verdicts": "src", "comparison_bench": "bench/src"}
"""The folder of a package."""
MADE = ("verdicts/commands/site/",)
"""What the build makes: the documents as a site."""


def compare_files(path: Path) -> None:
    package = path.name.partition("-")[0]
    folder = SOURCES[package]
    with zipfile.ZipFile(path) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name and not name.startswith(MADE)}
    command = ["git", "ls-files", f"{folder}/{package}"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    tracked = {name.removeprefix(f"{folder}/") for name in listed}
    for words, names in (("lacks", tracked - packed), ("has too many:", packed - tracked)):
        if names:
            sys.exit(f"{path.name} {words} {len(names)} files: {', '.join(sorted(names)[:5])}")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        compare_files(Path(argument))
