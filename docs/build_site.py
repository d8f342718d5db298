"""Builds the documents as a site, for `verdicts docs`: `uv run --group docs python docs/build_site.py [FOLDER]`.

PAGES go into it as they lie in the checkout. A link that leads to no page or heading fails the build. The site is put
where the program looks for it.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from entity_picture import with_picture

ROOT = Path(__file__).parents[1]
SITE = ROOT / "src" / "verdicts" / "commands" / "site"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "docs", "examples")


def build(target: Path) -> None:
    """Replaces `target` by the site; exits with what is wrong where the pages make none."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        (work / "pages").mkdir()
        for name in PAGES:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, work / "pages" / name, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
            elif source.exists():
                shutil.copy(source, work / "pages" / name)
        entities = work / "pages" / "docs" / "entities.md"
        entities.write_text(with_picture(entities.read_text(encoding="utf-8")), encoding="utf-8")
        shutil.copy(ROOT / "zensical.toml", work)
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        # A link astray is told there, and then as a traceback of its own.
        done = subprocess.run(command, cwd=work, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr.partition("Traceback")[0])
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(work / "site", target)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if sys.argv[1:] else SITE)
