"""The disk that is left: a night that fills it would end somewhere in its middle."""

import shutil
from pathlib import Path

from verdicts.fetch.model.errors import StorageFailed


def check_free_disk(data: Path, least_gb: float) -> None:
    """Raises `StorageFailed` where the disk of a data folder, which may not be there yet, has less left."""
    place = next(path for path in (data.absolute(), *data.absolute().parents) if path.exists())
    free = shutil.disk_usage(place).free
    if free < least_gb * 1e9:
        raise StorageFailed(
            f"{free / 1e9:.1f} GB of the disk of {data} are free, and nothing starts below min_free_gb = {least_gb:g};"
            " 'verdicts compact' says what it can free"
        )
