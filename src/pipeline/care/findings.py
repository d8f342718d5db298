"""A finding: what is wrong, and the one command that mends it."""

import shlex
from dataclasses import dataclass
from pathlib import Path

DEFAULT_DATA = Path("data")


@dataclass(frozen=True, slots=True)
class Finding:
    """`mend` is a command without the data folder: `verdicts repair`."""

    what: str
    mend: str

    def command_for(self, data: Path) -> str:
        """The command, for a data folder."""
        is_ours = self.mend.startswith("verdicts ") and data != DEFAULT_DATA
        return f"{self.mend} --data {shlex.quote(str(data))}" if is_ours else self.mend
