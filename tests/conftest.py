"""One whole night, run once for all tests that look at what it leaves behind."""

import pytest

from builders.command import verdicts


@pytest.fixture(scope="session")
def night(tmp_path_factory):
    """A folder after one `verdicts run`, and what the command said."""
    home = tmp_path_factory.mktemp("night")
    return home, verdicts("run", cwd=home)
