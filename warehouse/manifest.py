"""What an export consists of: its files with their rows, bytes and checksums."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from warehouse.errors import ExportRefused

MANIFEST = "_manifest.json"
CHECKSUMS = "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """Rows of one table, ordered by its key. `name` is the path within the export, `form` parquet, csv or jsonl."""

    name: str
    relation: str
    form: str
    rows: int
    bytes: int
    sha256: str


def write_manifest(folder: Path, files: Sequence[ExportedFile], *, load_id: str | None, schema_version: int) -> None:
    """Writes the manifest, then the checksums of all that is in `folder`: `sha256sum -c SHA256SUMS` checks it."""
    held = {"load_id": load_id, "schema_version": schema_version, "files": [asdict(file) for file in files]}
    (folder / MANIFEST).write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")
    known = {file.name: file.sha256 for file in files}
    sums = {name: known.get(name) or sha256_of(folder / name) for name in names_in(folder)}
    (folder / CHECKSUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)), encoding="utf-8")


def read_manifest(folder: Path) -> list[ExportedFile]:
    """The tables' files of an export. Raises ExportRefused where `folder` is none."""
    try:
        held = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return [ExportedFile(**file) for file in held["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ExportRefused(folder, f"holds no {MANIFEST} of ours") from error


def listed_in(folder: Path) -> set[str]:
    """The names in the checksums of an export, that file itself too; none where it is missing."""
    if not (folder / CHECKSUMS).is_file():
        return set()
    lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
    return {CHECKSUMS, *(line.partition("  ")[2] for line in lines)}


def names_in(folder: Path) -> set[str]:
    """Files in a folder and below it, by their path within it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def sha256_of(path: Path) -> str:
    """Checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
