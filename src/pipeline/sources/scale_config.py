"""`[scale]` of the config: where a corpus lies and is built that one machine does not hold. docs/scaling.md."""

import re
from typing import Annotated
from urllib.parse import urlsplit  # noqa: TID251  addresses of the operator, of schemes that no page has

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from verdicts.fetch.model.addresses.web_address import without_credentials

BINS_MAX = 4_096
"""A stage leaves an object a bin, and each bin of the next one reads of all of them."""

COUNT_MAX = 10**12


_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
"""psycopg prints the word that it is in, and what follows a second `@`, which it takes for the host."""


def _like(example: str, *, has_port: bool = False, has_user: bool = False) -> AfterValidator:
    scheme = urlsplit(example).scheme

    def check(address: str) -> str:
        # No message repeats what was written: it may have a password in it.
        try:
            parts = urlsplit(address)
            is_right = parts.scheme == scheme and bool(parts.hostname) and (bool(parts.port) or not has_port)
        except ValueError:
            is_right = False
        if not is_right:
            raise ValueError(f"it is no address of that kind; write '{example}'")
        user, at, _ = parts.netloc.rpartition("@")
        if at and not has_user:
            raise ValueError(f"it takes no user and password; write '{example}'")
        if "@" in user or _STRAY_PERCENT.search(address):
            raise ValueError("in user and password write %40 for '@', and %25 for '%'")
        return address

    return AfterValidator(check)


def _store(store: str) -> str:
    scheme, is_address, rest = store.partition("://")
    if is_address and (scheme != "s3" or not rest.strip("/")):
        raise ValueError(f"{without_credentials(store)!r} is no store; write a folder, or 's3://bucket/prefix'")
    if is_address and "@" in rest.partition("/")[0]:
        raise ValueError("keys stand in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; write 's3://bucket/prefix'")
    return store


class ScaleConfig(BaseModel):
    """Each part by itself may be past one machine; what is None stays on it.

    `store` is a folder or `s3://bucket/prefix`, the data folder where it is None. `scheduler` is that of Dask. `bins`
    are the parts that tables are made in, `max_rows` the rows of a corpus up to which readers get a copy of it and not
    views of its parts. `frontier` is a database of Postgres that several fetchers share.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    store: Annotated[str, AfterValidator(_store)] | None = Field(default=None, min_length=1)
    scheduler: Annotated[str, _like("tcp://10.0.0.1:8786", has_port=True)] | None = None
    bins: int = Field(default=64, ge=1, le=BINS_MAX)
    max_rows: int = Field(default=50_000_000, ge=0, le=COUNT_MAX)
    frontier: Annotated[str, _like("postgresql://user@host/database", has_user=True)] | None = None
