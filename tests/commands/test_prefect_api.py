"""The Prefect API that is configured is found without Prefect; what becomes of a run there: `tests/flows`."""

import os
import socket

import pytest

from builders.command import verdicts
from pipeline import prefect_api
from pipeline.errors import ConfigError

URL = "http://prefect.example/api"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A working folder and a home of Prefect's own, with nothing configured."""
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_settings_there_is_no_api(home):
    assert prefect_api.api_url() is None
    (home / "profiles.toml").write_text(
        'active = "ephemeral"\n[profiles.ephemeral]\nPREFECT_SERVER_ALLOW_EPHEMERAL_MODE = "true"\n'
    )
    assert prefect_api.api_url() is None


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("prefect.toml", '[api]\nurl = "http://prefect.example/api"\n'),
        ("pyproject.toml", '[tool.prefect.api]\nurl = "http://prefect.example/api"\n'),
        ("profiles.toml", 'active = "ours"\n[profiles.ours]\nPREFECT_API_URL = "http://prefect.example/api"\n'),
    ],
)
def test_the_api_is_found_where_prefect_looks(home, file, text):
    (home / file).write_text(text)
    assert prefect_api.api_url() == URL


def test_the_environment_goes_before_files_and_names_the_profile(home, monkeypatch):
    (home / "profiles.toml").write_text(
        f'active = "none"\n[profiles.none]\n[profiles.ours]\nPREFECT_API_URL = "{URL}"\n'
    )
    assert prefect_api.api_url() is None
    monkeypatch.setenv("PREFECT_PROFILE", "ours")
    assert prefect_api.api_url() == URL
    monkeypatch.setenv("PREFECT_API_URL", "http://other.example/api")
    assert prefect_api.api_url() == "http://other.example/api"


def test_a_file_that_is_no_toml_configures_nothing(home):
    (home / "prefect.toml").write_text("[api")
    assert prefect_api.api_url() is None


def test_an_api_that_does_not_answer_is_one_line_and_exit_code_1(tmp_path):
    done = verdicts("run", cwd=tmp_path, PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api")
    assert done.returncode == 1
    assert "does not answer" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["http://[::1", "http://a b/api", "http://a:port/api", "http://a..b/", "api"])
def test_what_is_no_address_does_not_answer(url):
    with pytest.raises(ConfigError, match="does not answer"):
        prefect_api.check_answers(url)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
