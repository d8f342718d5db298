"""`[care]` of the config: how often the data folder is looked at, and what is kept for how long."""

import re
from fractions import Fraction
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from verdicts.warehouse.serving.retention import Keep

_LAST = re.compile(r"last ([1-9]\d*) and first of each page", re.ASCII)


def _share(value: object) -> float:
    try:
        share = float(Fraction(value)) if isinstance(value, str | int | float) else 0.0
    except (ValueError, ZeroDivisionError):
        share = 0.0
    if not 0 < share <= 1:
        raise ValueError(f"{value!r} is no share; write one above 0 and up to 1: '1/28', 0.05")
    return share


def _policy(value: str) -> str:
    if value != "all" and _LAST.fullmatch(value) is None:
        raise ValueError(f"{value!r} is no policy; write 'all' or 'last 3 and first of each page', with your number")
    return value


Share: TypeAlias = Annotated[float, BeforeValidator(_share)]
KeepRaw: TypeAlias = Annotated[str, AfterValidator(_policy)]


class KeepPublished(BaseModel):
    """Of how many days, weeks and months with a published copy the newest one is kept."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    daily: int = Field(default=Keep().daily, ge=0)
    weekly: int = Field(default=Keep().weekly, ge=0)
    monthly: int = Field(default=Keep().monthly, ge=0)


class CareConfig(BaseModel):
    """The table `[care]`; every key has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    verify_share: Share = 1 / 28
    verify_max_s: float = Field(default=120, gt=0)
    compact_when_free: float = Field(default=0.4, ge=0, le=1)
    keep_published: KeepPublished = KeepPublished()
    keep_raw: KeepRaw = "all"
    trash_days: int = Field(default=30, ge=0)
    min_free_gb: float = Field(default=5, ge=0)

    @property
    def keep(self) -> Keep:
        """Which published copies stay."""
        return Keep(**self.keep_published.model_dump())

    @property
    def newest_raw(self) -> int | None:
        """How many of the newest snapshots of a page are kept beside its first; None: all."""
        match = _LAST.fullmatch(self.keep_raw)
        return None if match is None else int(match[1])


DEMO = CareConfig(min_free_gb=0)
"""Where there is no config: the demo site is small, and a laptop may be full."""
