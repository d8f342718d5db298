"""Where things are in the data folder, `--data DIR`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Paths only; nothing is created or opened here."""

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
    def prefect(self) -> Path:
        """Database, log and address of the server that `verdicts serve` runs."""
        return self.root / "prefect"
