"""A store of objects by its address."""

from pathlib import Path

from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects.folder import FolderObjects
from verdicts.fetch.objects.objects import Objects

BUCKET = "s3://"
"""Begins the address of a bucket; any other is that of a folder."""


def open_objects(url: str) -> Objects:
    """The store at a folder's path, or at `s3://bucket/prefix`. Raises `StorageFailed`."""
    if not url.startswith(BUCKET):
        return FolderObjects(Path(url))
    if "@" in url.removeprefix(BUCKET).partition("/")[0]:
        # Said without the address, which messages and manifests would have from here on.
        raise StorageFailed("keys of a bucket stand in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not in its address")
    try:
        from verdicts.fetch.objects.s3 import S3Objects  # noqa: PLC0415  who has no bucket need not have obstore
    except ModuleNotFoundError as error:
        raise StorageFailed(f"{url}: a bucket needs more packages; run pip install 'verdicts[scale]'") from error
    return S3Objects(url)
