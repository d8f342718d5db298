"""Objects in a bucket, by obstore: S3, Ceph's gateway and other servers with this protocol.

Endpoint, region and keys come from the environment: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_ALLOW_HTTP. Only creation is conditional: Ceph's gateway answers a swap by ETag with 412 even
for the right one.
"""

import mmap
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from obstore import exceptions
from obstore.store import S3Store

from verdicts.fetch.model.fetch_errors import StorageFailed
from verdicts.fetch.objects import ObjectMissing, Range

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

LARGEST_BYTES = 5 * 2**30
"""The largest object in one request; a multipart upload would not let the first creator win."""

_PAUSES_S = (0.2, 1.0, 3.0)
"""Pauses between tries that obstore gave up: it repeats only reads and requests that cannot have been carried out."""

RETRIES: "RetryConfig" = {
    "max_retries": 6,
    "retry_timeout": timedelta(minutes=2),
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=5), "base": 2},
}

_REFUSED = (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError)

Answer = TypeVar("Answer")


class S3Objects:
    """See `Objects`. Threads may share it; a forked process opens its own."""

    def __init__(self, url: str) -> None:
        self._bucket, _, prefix = url.removeprefix("s3://").strip("/").partition("/")
        self._url = f"s3://{self._bucket}/{prefix}".rstrip("/")
        self._store = S3Store(
            self._bucket, prefix=prefix or None, client_options=_make_client_config(), retry_config=RETRIES
        )

    @property
    def url(self) -> str:
        return self._url

    def create(self, name: str, body: bytes | Path) -> bool:
        """Raises `StorageFailed` for a file of more than LARGEST_BYTES."""
        if isinstance(body, bytes) or not (size := body.stat().st_size):
            return self._create(name, body if isinstance(body, bytes) else b"")
        if size > LARGEST_BYTES:
            raise StorageFailed(f"{name}: {size:,} bytes do not fit into one request; make more partitions")
        with body.open("rb") as file:
            # Not closed here: obstore may still read it.
            return self._create(name, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def _create(self, name: str, body: bytes | mmap.mmap) -> bool:
        try:
            _retry(name, lambda: self._store.put(name, body, mode="create", use_multipart=False))
        except exceptions.AlreadyExistsError:
            return False
        except ObjectMissing as error:
            raise StorageFailed(f"{name}: there is no bucket {self._bucket!r}; create it, then run again") from error
        return True

    def read(self, name: str) -> bytes:
        return _retry(name, lambda: bytes(self._store.get(name).bytes()))

    def read_ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        starts, lengths = [part.begin for part in ranges], [part.length for part in ranges]
        return _retry(name, lambda: [*map(bytes, self._store.get_ranges(name, starts=starts, lengths=lengths))])

    def size(self, name: str) -> int | None:
        try:
            return _retry(name, lambda: self._store.head(name)["size"])
        except ObjectMissing:
            return None

    def names(self, prefix: str = "") -> Iterator[str]:
        yield from _retry(prefix, lambda: self._list_names(prefix))

    def _list_names(self, prefix: str) -> list[str]:
        # obstore lists only whole folders, sorted: skip the names before the prefix and stop after it.
        begun = []
        for batch in self._store.list(prefix.rpartition("/")[0] or None, offset=prefix[:-1] or None):
            names = [entry["path"] for entry in batch]
            begun += [name for name in names if name.startswith(prefix)]
            if names and names[-1] > prefix and not names[-1].startswith(prefix):
                break
        return begun

    def remove(self, name: str) -> None:
        with suppress(ObjectMissing):
            _retry(name, lambda: self._store.delete(name))


def _make_client_config() -> "ClientConfig":
    # These settings replace all client settings that obstore reads from the environment.
    is_plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in {"1", "true"}
    return {"connect_timeout": "5s", "read_timeout": "60s", "timeout": "10m", "allow_http": is_plain}


def _retry(name: str, ask: Callable[[], Answer]) -> Answer:
    """Asks again after failures that are not the request's own fault."""
    for pause_s in _PAUSES_S:
        try:
            return _ask(name, ask)
        except exceptions.GenericError:
            # Uneven, so that clients that failed together do not come back together.
            time.sleep(pause_s * random.uniform(0.5, 1.5))  # noqa: S311  no secret
    try:
        return _ask(name, ask)
    except exceptions.GenericError as error:
        raise StorageFailed(
            f"{name}: the store does not answer ({_cut_line(error)}); see whether it can be reached, then run again"
        ) from error


def _ask(name: str, ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except (exceptions.NotFoundError, FileNotFoundError) as error:
        raise ObjectMissing(f"{name} is not in the store") from error
    except _REFUSED as error:
        raise StorageFailed(
            f"{name}: the store refuses ({_cut_line(error)}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY"
            " and its policy"
        ) from error


def _cut_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:300]
