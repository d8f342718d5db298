"""The frontier of the crawls of a test: their own state, or a database that knows all and the state nothing."""

from verdicts.fetch.run.shared_frontier import SharedFrontier
from verdicts.fetch.store.store import Store

current: SharedFrontier | None = None
"""Set for a test by the fixture `frontier`."""


def shared_of(store: Store) -> SharedFrontier | None:
    """What a crawl is given. A state beside a shared frontier forgets its own: what counts is in the database."""
    if current is not None:
        with store.transaction():
            for table in ("urls", "hosts"):
                store.state.execute(f"DELETE FROM {table}")
    return current
