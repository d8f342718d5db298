"""The Prefect API that is configured is found without Prefect; what becomes of a run there: `tests/flows`."""

import os
import shutil
import socket

import pytest

from builders.command import called
from verdicts.fetch.store.state import hold
from verdicts.flows import server
from verdicts.pipeline import prefect_api
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.night_log import logged_nights

URL = "http://prefect.example/api"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A working folder and a home of Prefect's own, with nothing configured."""
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def profile(name, setting):
    return f'active = "{name}"\n[profiles.{name}]\n{setting}\n'


@pytest.mark.parametrize(
    ("file", "text", "is_one"),
    [
        ("prefect.toml", f'[api]\nurl = "{URL}"\n', True),
        ("pyproject.toml", f'[tool.prefect.api]\nurl = "{URL}"\n', True),
        ("profiles.toml", profile("ours", f'PREFECT_API_URL = "{URL}"'), True),
        ("profiles.toml", profile("ephemeral", 'PREFECT_SERVER_ALLOW_EPHEMERAL_MODE = "true"'), False),
        ("prefect.toml", "[api", False),
        ("other.toml", "", False),
    ],
)
def test_the_api_is_found_where_prefect_looks(home, file, text, is_one):
    (home / file).write_text(text)
    assert prefect_api.configured() == (prefect_api.Api(URL) if is_one else None)


def test_the_environment_goes_before_files_and_names_the_profile(home, monkeypatch):
    (home / "profiles.toml").write_text(
        f'active = "none"\n[profiles.none]\n[profiles.ours]\nPREFECT_API_URL = "{URL}"\n'
    )
    assert prefect_api.configured() is None
    monkeypatch.setenv("PREFECT_PROFILE", "ours")
    assert prefect_api.configured() == prefect_api.Api(URL)
    monkeypatch.setenv("PREFECT_API_URL", "http://other.example/api")
    assert prefect_api.configured() == prefect_api.Api("http://other.example/api")


@pytest.mark.usefixtures("home")
def test_a_password_in_the_address_is_taken_out_of_it(monkeypatch):
    monkeypatch.setenv("PREFECT_API_URL", "https://me:s%40fe@prefect.example:4200/api")
    assert prefect_api.configured() == prefect_api.Api("https://prefect.example:4200/api", "me:s@fe")


@pytest.mark.share(2)
@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://me:secret@127.0.0.1:{port}/api", "the Prefect API at http://127.0.0.1:{port}/api does not answer ("),
        ("me:secret@127.0.0.1:{port}/api", "PREFECT_API_URL is not the address of a Prefect API; this night is not"),
    ],
)
def test_an_api_that_does_not_answer_is_one_line_of_a_night_that_is_run_and_logged(tmp_path, address, says):
    port = free_port()
    done = called("run", cwd=tmp_path, PREFECT_API_URL=address.format(port=port))
    assert done.returncode == 0, done
    first, second, *_ = done.stderr.splitlines()
    assert first.startswith(says.format(port=port))
    assert first.endswith("; this night is not recorded")
    assert second.startswith("crawl: demo site")
    assert "secret" not in done.stderr
    folder = DataFolder(tmp_path / "data")
    assert [night.ending.status for night in logged_nights(folder)] == ["done"]
    assert "this night is not recorded" in folder.log.read_text()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("url", ["http://[::1", "http://a:port/api", "api"])
def test_what_is_no_address_is_not_repeated(monkeypatch, url):
    monkeypatch.setenv("PREFECT_API_URL", f"{url}secret")
    assert prefect_api.configured().failure() == "PREFECT_API_URL is not the address of a Prefect API"


@pytest.mark.parametrize("url", ["http://a b/api", "http://a..b/"])
def test_what_cannot_be_reached_does_not_answer(url):
    assert "does not answer" in prefect_api.Api(url).failure()


@pytest.fixture
def announced(tmp_path):
    """The folder of a service of this process, which holds its lock, and the API that it names."""
    folder = tmp_path / "data" / "prefect"
    folder.mkdir(parents=True)
    api = server.new_api(0)
    before = os.umask(0)
    with hold(folder / "lock", "serve"), server._announced(folder / prefect_api.SERVED, api):
        os.umask(before)
        yield folder, api


def test_a_service_is_found_by_its_file_which_nobody_else_can_read(announced):
    folder, api = announced
    assert (folder / "api.env").stat().st_mode & 0o777 == 0o600
    assert prefect_api.served(folder) == api
    assert str(api.auth) not in repr(api)
    assert server.new_api(0).auth != api.auth


def test_a_file_that_a_killed_service_left_is_none_as_any_user_may_have_its_port(tmp_path, announced):
    folder, _ = announced
    shutil.copytree(folder, tmp_path / "killed")
    assert prefect_api.served(tmp_path / "killed") is None


def replaced_by_link(file):
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.chmod(0o640),
        replaced_by_link,
        lambda file: file.write_text(file.read_text().replace("127.0.0.1", "127.0.0.2")),
        lambda file: file.write_text(""),
        pytest.param(
            lambda file: os.chown(file, 12345, 12345),
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="gives a file to another user"),
        ),
    ],
    ids=["others may read it", "a link", "another machine", "empty", "of another user"],
)
def test_a_file_that_the_service_would_not_write_is_none(announced, spoil):
    folder, _ = announced
    spoil(folder / "api.env")
    assert prefect_api.served(folder) is None


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
