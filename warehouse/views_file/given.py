"""What a publication is given beside the parts."""

from dataclasses import dataclass
from datetime import datetime

from warehouse.loading.staging import Rows


@dataclass(frozen=True, slots=True)
class Given:
    """The logs, whole, and the load that this is: what `load` takes of them. `load_id` is used once."""

    load_id: str
    loaded_at: datetime
    crawls: Rows
    fetches: Rows
    gate_measures: Rows = ()
    gate_accepts: Rows = ()
