"""The inputs of the last build. If they are unchanged, nothing is built."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.parse.rights import Rights
from verdicts.normalize.corrections import Correction
from verdicts.warehouse.storage.durable import replace_text


class Inputs(msgspec.Struct, frozen=True):
    """All inputs of a build. The names of record files change with their content.

    `gone` are the absences of pages by URL. `moved` are pairs of a URL and the one that has its page now. `held` are
    held snapshots with their URLs. `corrections` are decisions of people, sorted by id. `rights` are what is stated
    about pages, by URL.
    """

    files: tuple[str, ...]
    gone: tuple[tuple[str, Absences], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    held: tuple[tuple[Location, str], ...] = ()
    corrections: tuple[Correction, ...] = ()
    rights: tuple[tuple[str, Rights], ...] = ()


class BuildManifest(msgspec.Struct, frozen=True):
    """The inputs of the newest load of the warehouse."""

    inputs: Inputs
    load_id: str


def make_inputs(
    files: Sequence[Path],
    gone: Mapping[str, Absences] = MappingProxyType({}),
    moved: Mapping[str, str] = MappingProxyType({}),
    held: Mapping[Location, str] = MappingProxyType({}),
    corrections: tuple[Correction, ...] = (),
    rights: Mapping[str, Rights] = MappingProxyType({}),
) -> Inputs:
    """The inputs in order, to be compared."""
    names = tuple(sorted(file.name for file in files))
    pairs = (tuple(sorted(moved.items())), tuple(sorted(held.items())), corrections, tuple(sorted(rights.items())))
    return Inputs(names, tuple(sorted(gone.items())), *pairs)


def read_manifest(path: Path) -> BuildManifest | None:
    """The manifest of the last load. None if it is missing or damaged, so that all is built again."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=BuildManifest)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError):  # msgspec's are ValueErrors
        return None


def write_manifest(path: Path, manifest: BuildManifest) -> None:
    """Writes the manifest after the load. A crash before it costs one load without changes."""
    replace_text(path, msgspec.json.encode(manifest).decode() + "\n")
