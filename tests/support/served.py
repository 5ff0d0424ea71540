"""A fake of a service on this machine: a handler of requests, and what it knows."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import TypeVar

from support.receivers import Handler

Served = TypeVar("Served")


@contextmanager
def serving(handler: type[Handler], served: Callable[[int], Served]) -> Iterator[Served]:
    """Serve on a port of its own; `served` makes of it what the handler finds as `self.server.served`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    known = server.served = served(server.server_address[1])  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()
