"""Where the page of an address stands: the state machine of the frontier. Pure.

One law: nothing is given up before its replacement is held. An address leans on another (`ALIAS`, `MOVED`) only while
that one is `HELD`; when it stops being so, whatever leans on it is due at once. Snapshots are never deleted.

```
            good response                              HELD
            good response, and its page is held
              under the address that it names          ALIAS   leans on that address
  any  ──▶  redirect                                   MOVED   leans on its target
            anything else: a failure, a refusal,
              a rule that forbids or does not keep it  ABSENT  what leaned on it is due
```
"""

from enum import StrEnum


class Standing(StrEnum):
    """Column `standing` of the frontier: what the last visit to an address brought."""

    NEW = "new"
    """Never visited."""
    HELD = "held"
    """Its page, which is stored. It may name another address that does not hold the page yet."""
    ALIAS = "alias"
    """A page that is held under another address."""
    MOVED = "moved"
    """A redirect to another address, which may or may not hold a page."""
    ABSENT = "absent"
    """No page."""

    @property
    def leans(self) -> bool:
        """Whether its page is to be found under another address."""
        return self in {Standing.ALIAS, Standing.MOVED}
