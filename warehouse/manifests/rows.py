"""The tables of a manifest as rows to load, every byte as the manifest says."""

import hashlib
from pathlib import Path

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import FolderObjects, Objects
from verdicts.warehouse.loading.staging import ParquetFiles
from verdicts.warehouse.manifests.manifest import Manifest, Part


def rows_of(objects: Objects, manifest: Manifest, folder: Path) -> dict[str, ParquetFiles]:
    """What `load` takes as its rows: the files of each table.

    Of a store that is a folder they are its own; of a bucket they are copied to `folder`, which is the caller's to
    remove after the load. Raises ObjectMissing, `StorageFailed`.
    """
    home = Path(objects.url) if isinstance(objects, FolderObjects) else folder
    return {
        table: ParquetFiles(tuple(_file(objects, part, home) for part in manifest.tables[table]))
        for table in CORPUS_TABLES
        if table in manifest.tables
    }


def _file(objects: Objects, part: Part, home: Path) -> Path:
    path = home / part.name
    body = objects.read(part.name)
    if hashlib.sha256(body).hexdigest() != part.sha256:
        raise StorageFailed(f"{part.name}: its bytes are not those that its manifest names; run the build again")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return path
