"""`make worker QUEUES=gpu`: workers alone, on a machine beside the one of `make run`.

They need that machine's DATABASE_URL and REDIS_URL, and the files that both share (RESTYLE_STORAGE).
"""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from embedded import data_dir, missing_urls
from embedded.folders import prepare
from foundation.errors import UserError
from launcher.children import WATCHDOG, Children, worker_command
from launcher.exit_status import say_errors
from launcher.forking import share

QUEUES = ("default", "metrics", "gpu", "serve")


def work(queues: list[str]) -> int:
    """Run a worker for the queues until a signal comes; one that ends is started again."""
    _check(queues)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    data = data_dir()
    prepare(data)
    os.environ["RESTYLE_DATA"] = str(data)
    share()
    name = "-".join(queues)
    line = worker_command(f"{name}-{os.getpid()}", queues, os.cpu_count() or 1)
    children = Children(data, {name: line, "watchdog": WATCHDOG})
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        children.start()
        print(f"Working on {', '.join(queues)}; the log is {children[name].log}. Ctrl-C stops it.", flush=True)
        _watch(children)
    except KeyboardInterrupt:
        print("Stopping; what is not done goes back to its queue ...", flush=True)
    finally:
        children.stop()
    return 0


def _watch(children: Children) -> None:
    while True:
        for name in children.keep_running():
            print(f"{name} had ended and was started again; its log is {children[name].log}.", flush=True)
        time.sleep(0.25)


def _check(queues: list[str]) -> None:
    unknown = [queue for queue in queues if queue not in QUEUES]
    if unknown or not queues:
        raise UserError(
            "Say the queues with commas between them, as in QUEUES=gpu; there are {queues}.", queues=", ".join(QUEUES)
        )
    missing = [*missing_urls(), *([] if os.environ.get("RESTYLE_STORAGE") else ["RESTYLE_STORAGE"])]
    if missing:
        named = " and ".join(missing)
        raise UserError(
            "A worker of its own shares servers and files with the site: set {named} as they are there.", named=named
        )
    place = os.environ["RESTYLE_STORAGE"]
    if "://" not in place and not Path(place).is_dir():
        raise UserError("RESTYLE_STORAGE is no folder of this machine.", where=place)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(say_errors(lambda: work([one for one in ",".join(sys.argv[1:]).split(",") if one])))
