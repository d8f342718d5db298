"""`[metrics]` of the config: where the numbers of the newest night are written."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict


class MetricsConfig(BaseModel):
    """The table `[metrics]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Path | None = None
    """None: `metrics/verdicts.prom` of the data folder."""
