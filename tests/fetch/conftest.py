"""What the frontier is held to, it is held to in SQLite and in Postgres."""

from inspect import iscoroutinefunction
from itertools import count
from zlib import crc32

import pytest

from builders import nights
from builders.postgres import new_database, postgres, programs
from verdicts.fetch.run.shared_frontier import SharedFrontier

ON_BOTH = {"test_crawl", "test_revisits", "test_replacement", "test_parameters", "test_politeness"}
"""Modules whose crawls are made with either."""

BY_HAND = {"test_a_circle_of_redirects_is_seen_by_the_crawl_that_goes_on_after_a_kill"}
"""Tests that write the state themselves, which a shared frontier would not know."""

SHARE = 5

_NUMBERS = count(1)


def pytest_generate_tests(metafunc):
    if metafunc.module.__name__.rpartition(".")[2] in ON_BOTH and iscoroutinefunction(metafunc.function):
        frontiers = ["sqlite"] if metafunc.function.__name__ in BY_HAND else ["sqlite", "postgres"]
        metafunc.parametrize("frontier", frontiers, indirect=True)


def pytest_collection_modifyitems(config, items):
    """A fifth of the tests is held to the shared frontier with every change, all with `--whole`."""
    if config.getoption("--whole") or any("[" in named for named in config.args):
        return
    of_both = [item for item in items if "frontier" in item.fixturenames and "[postgres" in item.nodeid]
    dropped = {item for item in of_both if crc32(item.nodeid.encode()) % SHARE}
    config.hook.pytest_deselected(items=[item for item in items if item in dropped])
    items[:] = [item for item in items if item not in dropped]


@pytest.fixture(scope="session")
def postgres_server():
    if programs() is None:
        pytest.skip("Postgres is not installed: apt-get install postgresql")
    with postgres() as address:
        yield address


@pytest.fixture(autouse=True)
def frontier(request):
    """The frontier of the crawls of a test."""
    if getattr(request, "param", "sqlite") == "postgres":
        server = request.getfixturevalue("postgres_server")
        nights.current = SharedFrontier(new_database(server, f"frontier{next(_NUMBERS)}"))
    yield
    nights.current = None
