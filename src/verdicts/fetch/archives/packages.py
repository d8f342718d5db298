"""WARC files packed in a zip: a WACZ, and a WARC file as people send it, `crawl.warc.zip`."""

import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from verdicts.fetch.archives.archive_records import ArchiveFile
from verdicts.fetch.archives.formats import ARCHIVES, FormatNotRead, name_zip

RATIO_MAX = 100
"""The most bytes that a byte of the zip may unpack to. A WACZ stores WARC files as they are; HTML packs to a fifth."""


class PackageDamaged(ValueError):
    """A file in the zip cannot be unpacked."""


def list_members(package: ArchiveFile) -> list[str]:
    """The WARC files of a zip, and the WACZ files of a collection.

    Raises `FormatNotRead`, `PackageDamaged`, `OSError`.
    """
    try:
        with package.open() as file, ZipFile(file) as packed:
            names = packed.namelist()
    except BadZipFile as error:
        raise PackageDamaged(f"the zip is damaged: {error}") from None
    members = sorted(name for name in names if name.lower().endswith((*ARCHIVES, ".wacz")))
    if not members:
        raise FormatNotRead(f"it is {name_zip(names)} without a WARC file")
    return members


@contextmanager
def unpack_member(package: ArchiveFile, member: str) -> Iterator[Path]:
    """A file of the zip, in the folder for temporary files while the context lasts: archives are opened several times.

    Raises `PackageDamaged`, `OSError`.
    """
    with tempfile.TemporaryDirectory(prefix="verdicts-") as folder:
        path = Path(folder, "member" + "".join(Path(member).suffixes[-2:]))
        try:
            with package.open() as file, ZipFile(file) as packed:
                info = packed.getinfo(member)
                if info.file_size > RATIO_MAX * info.compress_size:
                    raise PackageDamaged(f"{member} unpacks to more than {RATIO_MAX} times its size")
                with packed.open(info) as source, path.open("wb") as target:
                    shutil.copyfileobj(source, target)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            # RuntimeError: `File 'archive/data.warc.gz' is encrypted, password required for extraction`.
            raise PackageDamaged(f"{member} cannot be unpacked: {error}") from None
        yield path
