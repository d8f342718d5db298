"""Serves the pages on 127.0.0.1, until a signal ends it."""

import socket
from collections.abc import Callable

import uvicorn

from verdicts.explore.app import make_app
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.errors import ConfigError

ENDS_WITHIN_S = 3
"""Seconds that answers which are on their way have to end."""


def serve(folder: DataFolder, port: int, started: Callable[[str], None]) -> None:
    """Serves until a signal; `started` is told the address once it answers. Port 0 is any that is free.

    Raises ConfigError where the port cannot be had.
    """
    with _listening(port) as listener:
        config = uvicorn.Config(
            make_app(folder),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=ENDS_WITHIN_S,
        )
        server = _Server(config, lambda: started(f"http://127.0.0.1:{listener.getsockname()[1]}/"))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """Tells when it answers."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell()


def _listening(port: int) -> socket.socket:
    listener = socket.socket()
    # The connections of one that has just ended are no reason.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or error
        raise ConfigError(f"port {port} of 127.0.0.1 cannot be had ({why}); name another --port") from None
    return listener
