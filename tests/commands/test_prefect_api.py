"""The Prefect API that is configured is found without Prefect; what becomes of a run there: `tests/flows`."""

import os
import shutil
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from builders.command import called, refused
from verdicts.fetch.store.state import hold
from verdicts.pipeline import prefect_api
from verdicts.pipeline.errors import ConfigError

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


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://127.0.0.1:{port}/api", "does not answer"),
        ("http://me:secret@127.0.0.1:{port}/api", "the Prefect API at http://127.0.0.1:{port}/api does not answer"),
        ("http://me:secret/7@127.0.0.1:{port}/api", "PREFECT_API_URL is not the address of an API"),
        ("me:secret@127.0.0.1:{port}/api", "PREFECT_API_URL is not the address of an API"),
    ],
)
def test_an_api_that_does_not_answer_is_one_line_and_exit_code_1(tmp_path, address, says):
    port = free_port()
    done = called("run", cwd=tmp_path, PREFECT_API_URL=address.format(port=port))
    refused(done, says.format(port=port))
    assert "secret" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("home")
def test_without_the_extra_one_line_says_what_to_install(monkeypatch):
    prefect_api.check_installed()
    monkeypatch.setattr(prefect_api, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"pip install 'verdicts\[serve\]'"):
        prefect_api.check_installed()


@pytest.mark.parametrize("url", ["http://[::1", "http://a b/api", "http://a:port/api", "http://a..b/", "api"])
def test_what_is_no_address_does_not_answer(url):
    with pytest.raises(ConfigError, match="does not answer"):
        prefect_api.check_answers(url)


@pytest.fixture
def announced(tmp_path):
    """The folder of a service of this process, which holds its lock, and the API that it names."""
    folder = tmp_path / "data" / "prefect"
    prefect_api.make_private(folder)
    with listening_api() as (port, asked), hold(folder / "lock", "serve"):
        api = prefect_api.on_port(port)
        before = os.umask(0)
        with prefect_api.announced(folder, api):
            os.umask(before)
            yield folder, api, asked


@contextmanager
def listening_api():
    """A port that answers as an API does, and what it was sent."""
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(str(self.headers))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield server.server_port, asked
        server.shutdown()


def test_a_service_is_found_by_its_file_which_nobody_else_can_read(announced):
    folder, api, asked = announced
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "api.env")] == [0o700, 0o600]
    assert (found := prefect_api.served(folder)) == api
    assert str(api.auth) not in f"{found} {asked}"
    assert prefect_api.on_port(1) != prefect_api.on_port(1)


def test_nobody_is_asked_once_the_service_is_killed_as_any_user_may_have_its_port(tmp_path, announced):
    folder, _, asked = announced
    left = tmp_path / "killed"
    shutil.copytree(folder, left)
    assert prefect_api.served(left) is None
    assert asked == []


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
    folder, _, asked = announced
    spoil(folder / "api.env")
    assert prefect_api.served(folder) is None
    assert asked == []


def test_a_folder_that_others_can_exchange_is_refused(tmp_path):
    folder = tmp_path / "data" / "prefect"
    folder.mkdir(parents=True)
    prefect_api.make_private(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    tmp_path.chmod(0o777)
    with pytest.raises(ConfigError, match=f"chmod go-w {tmp_path}'"):
        prefect_api.make_private(folder)
    tmp_path.chmod(0o1777)
    prefect_api.make_private(folder)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="is a link, or belongs to another user"):
        prefect_api.make_private(folder)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
