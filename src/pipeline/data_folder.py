"""Where things are in the data folder, `--data DIR`."""

from os.path import realpath
from pathlib import Path

from verdicts.fetch.model.errors import StoreMissing

DEFAULT_CONFIG = Path("verdicts.toml")
"""The config where none is named."""


class DataFolder:
    """Paths, and whether they are there; nothing is created or opened here."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "state.sqlite"
        """Frontier, log of attempts and index of the raw store."""
        self.raw = root / "raw"
        """Segments of the raw store."""
        self.records = root / "records"
        """Extracted records, one Parquet file per segment."""
        self.index = root / "index"
        """What is known of the snapshots of each segment, for machines without the state."""
        self.warehouse = root / "warehouse" / "corpus.duckdb"
        """The loader's own DuckDB file; never opened by readers."""
        self.build_manifest = root / "warehouse" / "built.txt"
        """What the warehouse was last built from."""
        self.serve = root / "serve"
        """Published read-only copies and the pointer to the present one."""
        self.pointer = self.serve / "current"
        """Names the published copy to open."""
        self.unknown = root / "raw-unknown"
        """Segments of runs that the state does not know: it was lost, or put back from a copy."""
        self.damaged = root / "damaged"
        """Bytes that were set aside by a repair."""
        self.dataset = root / "dataset"
        """Where the night exports the Parquet dataset."""
        self.recipes = root / "recipes"
        """What a person says of single hosts (`verdicts.extract.recipes`): a file and a folder of pages for each."""
        self.prefect = root / "prefect"
        """Database, log, address and password of the server that `verdicts serve` runs."""
        self.reports = root / "reports"
        """What is told of the nights: their log, a report of each, and which incidents are open."""
        self.night_log = self.reports / "nights.jsonl"
        """A line when a night begins, and one when it ends."""
        self.incidents = self.reports / "incidents.json"
        """What is wrong at present, and who could not be told."""
        self.log = root / "logs" / "verdicts.jsonl"
        """What commands that write here said, as JSON lines; older ones are beside it."""
        self.metrics = root / "metrics" / "verdicts.prom"
        """The newest night in numbers, as Prometheus reads them from a file."""

    def is_own(self, path: Path) -> bool:
        """Whether `path`, its links followed, is one of these files or in one of these folders."""
        try:
            first = Path(realpath(path)).relative_to(realpath(self.root)).parts[:1]
        except ValueError:
            return False
        own = {part.relative_to(self.root).parts[0] for part in vars(self).values() if part != self.root}
        # state.sqlite-wal, state.sqlite.sha256
        return not first or first[0].startswith("state.sqlite") or first[0] in {*own, "lock"}

    def is_one(self) -> bool:
        """Whether anything of a corpus is there."""
        return any(path.exists() for path in (self.state, self.raw, self.unknown, self.warehouse, self.pointer))

    def check_is_one(self) -> None:
        """Raises `StoreMissing` where nothing of a corpus is there: a mistyped path, or nothing was fetched yet."""
        if not self.is_one():
            raise StoreMissing(f"{self.root} holds nothing yet; 'verdicts run' or 'verdicts ingest' makes a store")
