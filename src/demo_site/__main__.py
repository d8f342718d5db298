"""`python -m demo_site`: the demo site on loopback until Ctrl-C."""

import threading
from contextlib import suppress

from verdicts.demo_site.responses import SITE_HOST
from verdicts.demo_site.server import serve


def main() -> None:
    """Prints the address and waits."""
    with serve(hosts=frozenset({SITE_HOST, "127.0.0.1", "localhost"})) as (host, port), suppress(KeyboardInterrupt):
        print(f"http://{host}:{port}/", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
