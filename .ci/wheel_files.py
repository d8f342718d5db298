"""Fails where the files of a wheel are not those of the package in the checkout: `python .ci/wheel_files.py WHEEL`."""

import subprocess
import sys
import zipfile

ADDED = ("verdicts/commands/site/",)
"""What the build makes: the documents as a site."""


def main() -> None:
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name and not name.startswith(ADDED)}
    listing = subprocess.run(["git", "ls-files", "src/verdicts"], capture_output=True, text=True, check=True)  # noqa: S607
    wanted = {name.removeprefix("src/") for name in listing.stdout.splitlines()}
    for words, names in (("lacks", wanted - packed), ("has too many:", packed - wanted)):
        if names:
            sys.exit(f"the wheel {words} {len(names)} files: {', '.join(sorted(names)[:5])}")


if __name__ == "__main__":
    main()
