"""What is wrong with a data folder, in the words of `doctor` and `status`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, and the command that mends it, without `--data`."""

    what: str
    mend: str
