"""Faults of a host as the command meets them, and those before a connection stands.

What hosts send is tried in `test_fault_matrix`.
"""

import socket

from builders.nights import HOST, night
from verdicts.fetch.model.site import Limits


async def test_a_host_that_swallows_connections_fails_at_the_connect_limit(tmp_path):
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for filler in (first, second):
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        limits = Limits(connect_s=0.3, total_s=30, attempts=1)
        result = await night(tmp_path, {}, resolve={HOST: ("127.0.0.1", full.getsockname()[1])}, limits=limits)
    (attempt,) = result.log
    assert attempt.outcome == "connect_timeout"
