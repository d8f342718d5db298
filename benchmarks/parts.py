"""The parts of a corpus past one machine, on loopback: Ceph's S3 gateway and Dask. All they write is in one folder.

Ceph is a monitor, a manager and one disk in a file. What the parts give is an environment that names AWS_*, STORE_URL
(`s3://` and a bucket) and DASK_SCHEDULER.
"""

import hmac
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from email.utils import formatdate
from hashlib import sha1
from http import HTTPStatus
from pathlib import Path
from uuid import uuid4

from builders import s3_server
from builders.dask_cluster import dask_cluster

PACKAGES = {
    "ceph-mon": "ceph-mon",
    "monmaptool": "ceph-common",
    "ceph": "ceph-common",
    "ceph-mgr": "ceph-mgr",
    "ceph-osd": "ceph-osd",
    "radosgw": "radosgw",
    "radosgw-admin": "radosgw",
    "setpriv": "util-linux",
}
"""Programs, and the packages of Debian that have them."""

CONF = Path(__file__).with_name("ceph.conf")
DISK_BYTES = 100 << 30
BUCKET, KEY, SECRET = "corpus", "verdicts", "verdicts-on-loopback"
"""The only user's; the gateway listens on loopback alone."""

READY_S = 120.0
"""A part that does not answer by then has failed: a busy machine takes a while."""

WITH_ITS_PARENT = ("setpriv", "--pdeathsig", "KILL", "--")


@contextmanager
def parts(folder: Path, workers: int, *, is_real: bool) -> Iterator[Mapping[str, str]]:
    """A bucket and so many workers of Dask, in a folder that is made for them.

    Not `is_real`: a bucket in this process instead of Ceph's; nobody counts the bytes that are got of it.
    """
    folder.mkdir(parents=True)
    try:
        with ExitStack() as stack:
            if is_real:
                processes = Processes(folder)
                stack.callback(processes.stop)
                store = start_ceph(processes, folder / "ceph") | {"STORE_URL": f"s3://{BUCKET}"}
            else:
                server = stack.enter_context(s3_server.s3_server())
                store = server.environment | {"STORE_URL": f"s3://{s3_server.BUCKET}"}
            env = store | {"NO_PROXY": "127.0.0.1"}
            # A worker that works counts as dead after five minutes, as it does elsewhere.
            names = map(str, range(workers))
            cluster = stack.enter_context(dask_cluster(folder, *names, environment=env, dead_after="300s"))
            yield env | {"DASK_SCHEDULER": cluster.address}
    finally:
        shutil.rmtree(folder)


class Processes:
    """The processes of Ceph, each with its output in `<name>.log`. They end with the one that started them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, command: Sequence[str], *, env: Mapping[str, str]) -> None:
        with (self._folder / f"{name}.log").open("wb") as output:
            self._running[name] = subprocess.Popen(
                [*WITH_ITS_PARENT, *command],
                cwd=self._folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def wait_for(self, name: str, is_ready: Callable[[], bool]) -> None:
        """Ends this process where a part ends, or does not answer in time."""
        process = self._running[name]
        gives_up_at = time.monotonic() + READY_S
        while not is_ready():
            if process.poll() is not None or time.monotonic() > gives_up_at:
                said = (self._folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-2000:]
                sys.exit(f"{name} {'does not answer' if process.poll() is None else 'ended'}\n{said}")
            time.sleep(0.1)

    def stop(self) -> None:
        for process in reversed(self._running.values()):
            process.send_signal(signal.SIGKILL)
            process.wait()


def run(command: Sequence[str], *, env: Mapping[str, str]) -> None:
    """Ends the process with what the command said where it fails."""
    call = [*WITH_ITS_PARENT, *command]
    done = subprocess.run(call, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr or done.stdout}")


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def start_ceph(processes: Processes, folder: Path) -> dict[str, str]:
    """Starts the gateway and makes its bucket. Gives the environment that opens it.

    Ends the process with what to install where a program is missing.
    """
    if missing := sorted({package for name, package in PACKAGES.items() if shutil.which(name) is None}):
        sys.exit(f"apt-get update && apt-get install --no-install-recommends {' '.join(missing)}")
    port, mon_port, fsid, disk = free_port(), free_port(), str(uuid4()), str(uuid4())
    for name in ("mon", "mgr", "osd", "rgw", "run"):
        (folder / name).mkdir(parents=True)
    conf = CONF.read_text(encoding="utf-8")
    conf = conf.format(fsid=fsid, mon_port=mon_port, port=port, folder=folder, disk_bytes=DISK_BYTES)
    (folder / "ceph.conf").write_text(conf, encoding="utf-8")
    env = os.environ | {"CEPH_CONF": str(folder / "ceph.conf")}
    monmap, address = str(folder / "monmap"), f"[v2:127.0.0.1:{mon_port}]"
    run(["monmaptool", "--create", "--fsid", fsid, "--addv", "a", address, monmap], env=env)
    run(["ceph-mon", "--mkfs", "-i", "a", "--monmap", monmap], env=env)
    processes.start("ceph-mon", ["ceph-mon", "-i", "a", "-f"], env=env)
    processes.start("ceph-mgr", ["ceph-mgr", "-i", "a", "-f"], env=env)
    for command in (
        f"osd new {disk} 0",
        "osd crush add osd.0 1.0 root=default host=here",
        "osd crush set-device-class ssd osd.0",
    ):
        run(["ceph", "--connect-timeout", "60", *command.split()], env=env)
    run(["ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", disk], env=env)
    processes.start("ceph-osd", ["ceph-osd", "-i", "0", "-f"], env=env)
    processes.start("radosgw", ["radosgw", "-f", "-n", "client.rgw"], env=env)
    url = f"http://127.0.0.1:{port}"
    processes.wait_for("radosgw", lambda: _status(url) == HTTPStatus.OK)
    user = f"--uid=verdicts --display-name=verdicts --access-key={KEY} --secret-key={SECRET}"
    run(["radosgw-admin", "user", "create", *user.split()], env=env)
    processes.wait_for("radosgw", lambda: _status(f"{url}/{BUCKET}", "PUT") == HTTPStatus.OK)
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
    }


def _status(url: str, method: str = "GET") -> int:
    """Of a request, signed unless it is a GET (version 2 of Amazon's signatures); 0 while nobody listens."""
    request = urllib.request.Request(url, method=method)
    if method != "GET":
        date = formatdate(usegmt=True)
        signed = hmac.new(SECRET.encode(), f"{method}\n\n\n{date}\n{request.selector}".encode(), sha1).digest()
        request.add_header("Date", date)
        request.add_header("Authorization", f"AWS {KEY}:{b64encode(signed).decode()}")
    without_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with without_proxy.open(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0
