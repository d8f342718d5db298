"""`verdicts explore` as its users call it."""

import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from builders.command import RUN_MAIN, called

pytestmark = pytest.mark.once


def test_it_says_where_it_is_answers_there_and_ends_with_a_signal(six_pages):
    call = [sys.executable, "-c", RUN_MAIN, "explore", "--port", "0"]
    with subprocess.Popen(call, cwd=six_pages, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stdout.readline()
            (address,) = re.findall(r"http://127\.0\.0\.1:\d+/", said)
            assert "What the panels say" in httpx.get(address, trust_env=False).text
            # The process that answers works in another folder than the one that `data` is in.
            answer = httpx.get(f"{address}sql.csv?q=SELECT+count(*)+AS+pages+FROM+pages", trust_env=False)
            assert (answer.status_code, answer.text.split()) == (200, ["pages", "6"])
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert errors.count("\n") == 1
    assert "Traceback" not in errors


def test_a_port_that_is_taken_and_a_folder_that_holds_nothing_are_said(six_pages, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = called("explore", "--port", port, cwd=six_pages)
    assert (done.returncode, f"port {port} of 127.0.0.1 is not free" in done.stderr) == (1, True)
    done = called("explore", cwd=tmp_path)
    assert (done.returncode, "data holds nothing yet" in done.stderr) == (1, True)
