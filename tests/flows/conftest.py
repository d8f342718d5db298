"""One server for all tests that need one: it takes seconds to start."""

import pytest

from builders.prefect_server import prefect_server


@pytest.fixture(scope="session")
def api(tmp_path_factory):
    with prefect_server(tmp_path_factory.mktemp("api", numbered=False) / "prefect") as api:
        yield api
