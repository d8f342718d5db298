"""How many addresses fetchers settle a second on one frontier in Postgres, with all commits durable.

    uv run python -m benchmarks.shared_frontier --fetchers 1 3 6

Each is a process of its own with its own data folder; a server on loopback answers at once, hosts have no delay. The
seconds are those between the first and the last request: starting a process is not counted.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

import psycopg

from benchmarks.measuring import SKIPPED, markdown_table, options_of, spread
from builders.fetchers import site, start_fetcher
from builders.postgres import new_database, postgres, programs

PAGES = 150


def rate(server_address: str, fetchers: int, number: int, host_count: int) -> float:
    """Addresses settled a second."""
    address = new_database(server_address, f"rate{number}")
    hosts = [f"host{host}.example" for host in range(host_count)]
    with tempfile.TemporaryDirectory() as folder, site(PAGES) as server:
        running = [
            start_fetcher(address, Path(folder), f"fetcher{one}", server, hosts, 0, 30) for one in range(fetchers)
        ]
        assert {process.communicate()[0].strip() for process in running} <= {"done", "partial"}
        asked = sorted(request.at for request in server.asked)
    with psycopg.connect(address) as database:
        ((settled,),) = database.execute("SELECT count(*) FROM urls WHERE standing = 'held'").fetchall()
    assert settled == host_count * (PAGES + 1)
    return settled / (asked[-1] - asked[0])


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--fetchers", type=int, nargs="+", default=[1, 3, 6])
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--hosts", type=int, default=24, help=f"of {PAGES} pages each")
    chosen = options.parse_args()
    if programs() is None:
        print("there is no Postgres: apt-get install postgresql")
        sys.exit(SKIPPED)
    lines = []
    with postgres(is_durable=True) as server_address:
        for fetchers in chosen.fetchers:
            rates = [rate(server_address, fetchers, 100 * fetchers + run, chosen.hosts) for run in range(chosen.runs)]
            lines.append([str(fetchers), f"{median(rates):.0f}", spread(rates)])
    print(markdown_table(["fetchers", "settled a second", "least to most"], lines))


if __name__ == "__main__":
    main()
