"""`[care]` of the config: how often the data folder is looked at and backed up, and what is kept for how long."""

from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from verdicts.pipeline.sources.durations import Duration
from verdicts.warehouse.serving.retention import Keep


def _share(value: object) -> float:
    try:
        share = float(Fraction(value)) if isinstance(value, str | int | float) else 0.0
    except (ValueError, ZeroDivisionError):
        share = 0.0
    if not 0 < share <= 1:
        raise ValueError(f"{value!r} is no share; write one above 0 and up to 1: '1/28', 0.05")
    return share


def _folder(value: object) -> object:
    return None if value == "" else value


Share: TypeAlias = Annotated[float, BeforeValidator(_share)]


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
    min_free_gb: float = Field(default=5, ge=0)
    backup_dir: Annotated[Path | None, BeforeValidator(_folder)] = None
    backup_every: Duration = timedelta(days=1)
    restore_test_every: Duration = timedelta(days=30)

    @property
    def keep(self) -> Keep:
        """Which published copies stay."""
        return Keep(**self.keep_published.model_dump())


DEMO = CareConfig(min_free_gb=0)
"""Where there is no config: the demo site is small, and a laptop may be full."""
