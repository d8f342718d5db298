"""A store of objects by its address."""

from pathlib import Path

from fetch.objects.folder import FolderObjects
from fetch.objects.objects import Objects


def open_objects(url: str) -> Objects:
    """The store at a folder's path. Raises `StorageFailed`."""
    return FolderObjects(Path(url))
