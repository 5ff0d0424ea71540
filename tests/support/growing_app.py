"""A web application whose worker grows: `/grow` keeps 60 MiB. `/slowly` answers until the file `END` is there."""

import os
import time
from pathlib import Path

kept = []


def application(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/slowly":
        return slowly(Path(os.environ["END"]))
    if environ["PATH_INFO"] == "/grow":
        kept.append(os.urandom(2**20) * 60)
    return [str(os.getpid()).encode()]


def slowly(end):
    while not end.exists():
        time.sleep(0.05)  # a slow answer: its end is the file, and no clock
        yield b"."
    yield b"end"
