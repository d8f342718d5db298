"""The paths in a data folder, `--data DIR`."""

import os
from os.path import realpath
from pathlib import Path

from verdicts.fetch.model.fetch_errors import StoreMissing

DEFAULT_CONFIG = Path("verdicts.toml")
"""The config where none is named."""


class DataFolder:
    """Paths of a data folder. It creates and opens nothing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "state.sqlite"
        """Frontier, log of requests, and index of the raw store."""
        self.raw = root / "raw"
        """Segments of the raw store."""
        self.records = root / "records"
        """Extracted records, one Parquet file per segment."""
        self.index = root / "index"
        """An index of the snapshots of each segment, for machines without the state."""
        self.warehouse = root / "warehouse" / "corpus.duckdb"
        """The DuckDB file of the loader. Readers never open it."""
        self.build_manifest = root / "warehouse" / "built.txt"
        """The inputs of the last build."""
        self.parts = root / "warehouse" / "parts"
        """Rows of a build until they are loaded."""
        self.serve = root / "serve"
        """Published read-only copies, the pointer to the current one, and `corpus.duckdb` for other programs."""
        self.pointer = self.serve / "current"
        """The name of the current copy."""
        self.damaged = root / "damaged"
        """Files that a repair moved away."""
        self.dataset = root / "dataset"
        """The Parquet dataset that each night exports."""
        self.recipes = root / "recipes"
        """Hand-written recipes (`verdicts.extract.recipes`): a file and a folder of pages per host."""
        self.profiles = root / "profiles"
        """Hand-written profiles of sister sites, beside those that are shipped: a file per site."""
        self.corrections = root / "corrections"
        """Decisions of people on rows (`verdicts.pipeline.correction_files`)."""
        self.prefect = root / "prefect"
        """Database, log, address and password of the server of `verdicts serve`."""
        self.reports = root / "reports"
        """A record of each night, as JSON."""
        self.log = root / "logs" / "verdicts.jsonl"
        """The log of all commands that write here, as JSON lines. Older files are beside it."""
        self.metrics = root / "metrics" / "verdicts.prom"
        """Numbers of the newest night, in the text format of Prometheus."""

    def is_own(self, path: Path) -> bool:
        """Whether `path`, after its links are resolved, belongs to this data folder."""
        try:
            first = Path(realpath(path)).relative_to(realpath(self.root)).parts[:1]
        except ValueError:
            return False
        names = {part.relative_to(self.root).parts[0] for part in vars(self).values() if part != self.root}
        # state.sqlite-wal, state.sqlite.sha256
        return not first or first[0].startswith("state.sqlite") or first[0] in {*names, "lock"}

    def is_one(self) -> bool:
        """Whether the folder holds any part of a corpus, or cannot be searched by this user."""
        if self.root.is_dir() and not os.access(self.root, os.R_OK | os.X_OK):
            return True
        return any(path.exists() for path in (self.state, self.raw, self.warehouse, self.pointer))

    def check_is_one(self) -> None:
        """Raises `StoreMissing` if the folder holds no part of a corpus, for example because its path is mistyped."""
        if not self.is_one():
            raise StoreMissing(self.root)
