"""One whole night, run once for all tests that look at what it leaves behind."""

from datetime import UTC, datetime

import pytest

from builders.command import WITHOUT_PREFECT, verdicts


@pytest.fixture(scope="session")
def night(tmp_path_factory):
    """A folder after one `verdicts run` in a process that cannot import Prefect, and what the command said."""
    home = tmp_path_factory.mktemp("night")
    return home, verdicts("run", cwd=home, code=WITHOUT_PREFECT)


@pytest.fixture(scope="session")
def two_nights(tmp_path_factory):
    """A small data folder that was built, published, exported and verified, for tests that spoil a copy of it."""
    from builders import bit_rot

    data = tmp_path_factory.mktemp("two-nights") / "data"
    bit_rot.make(data)
    return data


@pytest.fixture(scope="session")
def six_pages(tmp_path_factory):
    """A folder with six comparison pages of the demo site as files, built, published and exported to `out`."""
    from builders.interruptions import write_pages
    from fetch.run.ingest import ingest
    from fetch.store.store import open_store
    from pipeline import steps
    from pipeline.data_folder import DataFolder
    from pipeline.sources.page_files import find_sources

    home = tmp_path_factory.mktemp("six-pages")
    write_pages(home / "pages", 6)
    folder = DataFolder(home / "data")
    with open_store(folder.root, command="test") as store:
        ingest(store, find_sources((home / "pages",), None), clock=lambda: datetime(2026, 11, 1, 1, 30, tzinfo=UTC))
        steps.build_corpus(store, folder)
    steps.publish_corpus(folder)
    steps.export_dataset(folder, home / "out")
    return home


@pytest.fixture(scope="session")
def hand_made(tmp_path_factory):
    """The hand-made corpus in a file that no test writes to."""
    from builders.warehouse_files import load_corpus

    path = tmp_path_factory.mktemp("hand-made") / "corpus.duckdb"
    load_corpus(path)
    return path


def pytest_make_parametrize_id(val, argname):
    """The bytes of a gzip hold the second they were made in: two processes would collect tests of two names."""
    return argname if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None
