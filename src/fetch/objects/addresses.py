"""Single objects by their address, wherever they lie: `s3://bucket/name`, or `file://` and the path of a file."""

from verdicts.fetch.objects.objects import Objects
from verdicts.fetch.objects.opening import BUCKET, open_objects

FILE = "file://"
"""Followed by a path from the root, as it is: nothing in it is quoted."""


def is_address(words: str) -> bool:
    """Whether this names an object, not a path."""
    return words.startswith((BUCKET, FILE))


def open_object(address: str) -> tuple[Objects, str]:
    """The store that has an object, and its name there. Raises `StorageFailed`."""
    if address.startswith(FILE):
        return open_objects("/"), address.removeprefix(FILE).lstrip("/")
    bucket, _, name = address.removeprefix(BUCKET).partition("/")
    return open_objects(f"{BUCKET}{bucket}"), name


def addresses_below(address: str) -> list[str]:
    """The addresses of the objects in a folder, sorted; that of the object itself where it is one."""
    objects, name = open_object(address)
    begin = address.removesuffix("/").removesuffix(name.strip("/"))
    folder = f"{name.strip('/')}/" if name.strip("/") else ""
    if folder and not address.endswith("/") and objects.size(name) is not None:
        return [address]
    return [begin + found for found in objects.names(folder)]
