"""Ceph's S3 gateway over a monitor, a manager and one disk in a file."""

import hmac
import os
import shutil
import sys
import urllib.error
import urllib.request
from base64 import b64encode
from email.utils import formatdate
from hashlib import sha1
from http import HTTPStatus
from pathlib import Path
from uuid import uuid4

from benchmarks.parts.processes import Processes, free_port, run

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
