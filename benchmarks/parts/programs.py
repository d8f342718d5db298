"""Programs of the system, and the packages of Debian that have them."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {
    "ceph-mon": "ceph-mon",
    "monmaptool": "ceph-common",
    "ceph": "ceph-common",
    "ceph-mgr": "ceph-mgr",
    "ceph-osd": "ceph-osd",
    "radosgw": "radosgw",
    "radosgw-admin": "radosgw",
    "initdb": "postgresql",
    "postgres": "postgresql",
    "pg_isready": "postgresql",
    "setpriv": "util-linux",
}


def find_programs() -> dict[str, str]:
    """The path of each program by its name. Ends the process with what to install where one is missing."""
    found = {name: _path(name) for name in PACKAGES}
    if missing := sorted({PACKAGES[name] for name, path in found.items() if path is None}):
        sys.exit(f"apt-get update && apt-get install --no-install-recommends {' '.join(missing)}")
    if find_spec("distributed") is None:
        sys.exit("Dask is missing: uv sync --extra scale")
    return {name: path for name, path in found.items() if path is not None}


def _path(name: str) -> str | None:
    """Debian keeps the programs of each version of Postgres in a folder that is not searched; the newest is taken."""
    versions = Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    newest = max(versions, key=lambda path: int(path.parts[-3]), default=None)
    return shutil.which(name) or (None if newest is None else str(newest))
