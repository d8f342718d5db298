"""Where things are in the data folder, `--data DIR`."""

from dataclasses import dataclass
from os.path import realpath
from pathlib import Path

from verdicts.fetch.model.errors import StoreMissing


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Paths, and whether they are there; nothing is created or opened here."""

    root: Path

    @property
    def state(self) -> Path:
        """Frontier, log of attempts and index of the raw store."""
        return self.root / "state.sqlite"

    @property
    def raw(self) -> Path:
        """Segments of the raw store."""
        return self.root / "raw"

    @property
    def records(self) -> Path:
        """Extracted records, one Parquet file per segment."""
        return self.root / "records"

    @property
    def index(self) -> Path:
        """What is known of the snapshots of each segment, for machines without the state."""
        return self.root / "index"

    @property
    def warehouse(self) -> Path:
        """The loader's own DuckDB file; never opened by readers."""
        return self.root / "warehouse" / "corpus.duckdb"

    @property
    def build_manifest(self) -> Path:
        """What the warehouse was last built from."""
        return self.root / "warehouse" / "built.txt"

    @property
    def serve(self) -> Path:
        """Published read-only copies and the pointer to the present one."""
        return self.root / "serve"

    @property
    def pointer(self) -> Path:
        """Names the published copy to open."""
        return self.serve / "current"

    @property
    def unknown(self) -> Path:
        """Segments of runs that the state does not know: it was lost, or put back from a copy."""
        return self.root / "raw-unknown"

    @property
    def damaged(self) -> Path:
        """Bytes that were set aside by a repair."""
        return self.root / "damaged"

    @property
    def dataset(self) -> Path:
        """Where the night exports the Parquet dataset."""
        return self.root / "dataset"

    @property
    def recipes(self) -> Path:
        """What a person says of single hosts (`verdicts.extract.recipes`): a file and a folder of pages for each."""
        return self.root / "recipes"

    def is_own(self, path: Path) -> bool:
        """Whether `path`, its links followed, is one of these files or in one of these folders."""
        try:
            first = Path(realpath(path)).relative_to(realpath(self.root)).parts[:1]
        except ValueError:
            return False
        own = (
            self.state,
            self.raw,
            self.index,
            self.records,
            self.warehouse.parent,
            self.serve,
            self.unknown,
            self.damaged,
            self.recipes,
        )
        names = {
            part.name for part in (*own, self.dataset, self.prefect, self.reports, self.log.parent, self.metrics.parent)
        }
        # state.sqlite-wal, state.sqlite.sha256
        return not first or first[0].startswith("state.sqlite") or first[0] in {*names, "lock"}

    def is_one(self) -> bool:
        """Whether anything of a corpus is there."""
        kept = (self.state, self.raw, self.unknown, self.warehouse, self.pointer)
        return any(path.exists() for path in kept)

    def check_is_one(self) -> None:
        """Raises `StoreMissing` where nothing of a corpus is there: a mistyped path, or nothing was fetched yet."""
        if not self.is_one():
            raise StoreMissing(f"{self.root} holds nothing yet; 'verdicts run' or 'verdicts ingest' makes a store")

    @property
    def prefect(self) -> Path:
        """Database, log, address and password of the server that `verdicts serve` runs."""
        return self.root / "prefect"

    @property
    def reports(self) -> Path:
        """What is told of the nights: their log, a report of each, and which incidents are open."""
        return self.root / "reports"

    @property
    def night_log(self) -> Path:
        """A line when a night begins, and one when it ends."""
        return self.reports / "nights.jsonl"

    @property
    def incidents(self) -> Path:
        """What is wrong at present, and who could not be told."""
        return self.reports / "incidents.json"

    @property
    def log(self) -> Path:
        """What commands that write here said, as JSON lines; older ones are beside it."""
        return self.root / "logs" / "verdicts.jsonl"

    @property
    def metrics(self) -> Path:
        """The newest night in numbers, as Prometheus reads them from a file."""
        return self.root / "metrics" / "verdicts.prom"
