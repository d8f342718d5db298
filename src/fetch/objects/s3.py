"""Objects of a bucket, by obstore: S3, Ceph's gateway and whatever else speaks their language.

Endpoint, region and keys come from the environment: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_ALLOW_HTTP. Nothing but creation is relied on: of a swap by ETag Ceph's gateway says 412 even
with the right one.
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

from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects import ObjectMissing, Range

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

LARGEST_BYTES = 5 * 2**30
"""Of an object that is put in one request; parts of an upload would be joined whoever was first."""

_PAUSES_S = (0.2, 1.0, 3.0)
"""Between tries that obstore has given up: it repeats what cannot have been carried out, and all that only reads."""

RETRIES: "RetryConfig" = {
    "max_retries": 6,
    "retry_timeout": timedelta(minutes=2),
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=5), "base": 2},
}

_REFUSED = (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError)

Answer = TypeVar("Answer")


class S3Objects:
    """See `Objects`. May be shared by threads; a process that was forked opens its own."""

    def __init__(self, url: str) -> None:
        self._bucket, _, prefix = url.removeprefix("s3://").strip("/").partition("/")
        self._url = f"s3://{self._bucket}/{prefix}".rstrip("/")
        self._store = S3Store(self._bucket, prefix=prefix or None, client_options=_client(), retry_config=RETRIES)

    @property
    def url(self) -> str:
        return self._url

    def create(self, name: str, body: bytes) -> bool:
        """See `Objects.create`."""
        return self._create(name, body)

    def create_from(self, name: str, path: Path) -> bool:
        """See `Objects.create_from`. Raises `StorageFailed` for one of more than LARGEST_BYTES."""
        with path.open("rb") as file:
            if not (size := path.stat().st_size):
                return self._create(name, b"")
            if size > LARGEST_BYTES:
                raise StorageFailed(f"{name}: {size:,} bytes are more than one request puts; make more bins")
            # Not closed here: obstore lets go of it when it likes.
            return self._create(name, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def _create(self, name: str, body: bytes | mmap.mmap) -> bool:
        try:
            _tried(name, lambda: self._store.put(name, body, mode="create", use_multipart=False))
        except exceptions.AlreadyExistsError:
            return False
        except ObjectMissing as error:
            raise StorageFailed(f"{name}: there is no bucket {self._bucket!r}; create it, then run again") from error
        return True

    def read(self, name: str) -> bytes:
        """See `Objects.read`."""
        return _tried(name, lambda: bytes(self._store.get(name).bytes()))

    def read_ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        """See `Objects.read_ranges`."""
        starts, lengths = [part.begin for part in ranges], [part.length for part in ranges]
        return _tried(name, lambda: [*map(bytes, self._store.get_ranges(name, starts=starts, lengths=lengths))])

    def size(self, name: str) -> int | None:
        """See `Objects.size`."""
        try:
            return _tried(name, lambda: self._store.head(name)["size"])
        except ObjectMissing:
            return None

    def names(self, prefix: str = "") -> Iterator[str]:
        """See `Objects.names`."""
        yield from _tried(prefix, lambda: self._names(prefix))

    def _names(self, prefix: str) -> list[str]:
        # obstore knows folders alone. Names come in order: what stands before the prefix and after it is not listed.
        found = []
        for batch in self._store.list(prefix.rpartition("/")[0] or None, offset=prefix[:-1] or None):
            names = [entry["path"] for entry in batch]
            found += [name for name in names if name.startswith(prefix)]
            if names and names[-1] > prefix and not names[-1].startswith(prefix):
                break
        return found

    def remove(self, name: str) -> None:
        """See `Objects.remove`."""
        with suppress(ObjectMissing):
            _tried(name, lambda: self._store.delete(name))


def _client() -> "ClientConfig":
    # What is said here takes the place of all that obstore reads of a client in the environment.
    is_plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in {"1", "true"}
    return {"connect_timeout": "5s", "read_timeout": "60s", "timeout": "10m", "allow_http": is_plain}


def _tried(name: str, ask: Callable[[], Answer]) -> Answer:
    """The answer to a request, tried again where it failed for no reason of its own."""
    for pause_s in _PAUSES_S:
        try:
            return _asked(name, ask)
        except exceptions.GenericError:
            # Uneven, or all that failed together would come back together.
            time.sleep(pause_s * random.uniform(0.5, 1.5))  # noqa: S311  no secret
    try:
        return _asked(name, ask)
    except exceptions.GenericError as error:
        raise StorageFailed(
            f"{name}: the store does not answer ({_line(error)}); see whether it can be reached, then run again"
        ) from error


def _asked(name: str, ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except (exceptions.NotFoundError, FileNotFoundError) as error:
        raise ObjectMissing(f"{name} is not in the store") from error
    except _REFUSED as error:
        raise StorageFailed(
            f"{name}: the store refuses ({_line(error)}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and its policy"
        ) from error


def _line(error: Exception) -> str:
    """What an error of obstore says first; below it stands how its own code is built."""
    return str(error).strip().partition("\n")[0][:300]
