"""Fails where the wheel lacks a file of the packages that the checkout has: `python wheel_files.py WHEEL`."""

import subprocess
import sys
import zipfile


def main() -> None:
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        packed = set(wheel.namelist())
    listed = subprocess.run(
        ["git", "ls-files", "src", "warehouse", "flows"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    links = {"src/warehouse", "src/flows"}
    wanted = {f"verdicts/{name.removeprefix('src/')}" for name in listed if name not in links}
    if missing := sorted(wanted - packed):
        sys.exit(f"the wheel lacks {len(missing)} files: {', '.join(missing[:5])}")


if __name__ == "__main__":
    main()
