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
from jobs.queues import QUEUES, with_those_beside
from launcher.children import WATCHDOG, Children, worker_command
from launcher.demand import Demand
from launcher.exit_status import say_errors
from launcher.forking import share


def work(queues: list[str]) -> int:
    """Run a worker for the queues until a signal comes; one that ends is started again.

    Queues that go with one of them, as `quick` does with `gpu`, have workers beside it that come when there is work.
    """
    _check(queues)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    data = data_dir()
    prepare(data)
    os.environ["RESTYLE_DATA"] = str(data)
    share()
    name = "-".join(queues)
    line = worker_command(f"{name}-{os.getpid()}", queues, os.cpu_count() or 1)
    beside = [queue for queue in with_those_beside(queues) if queue not in queues]
    lines = {queue: worker_command(f"{queue}-{os.getpid()}", [queue], os.cpu_count() or 1) for queue in beside}
    children = Children(data, {name: line, **lines, "watchdog": WATCHDOG}, on_demand=beside)
    demand = Demand(beside, f"launcher-{name}")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        children.start()
        served = ", ".join([*queues, *beside])
        print(f"Working on {served}; the log is {children[name].log}. Ctrl-C stops it.", flush=True)
        _watch(children, demand)
    except KeyboardInterrupt:
        print("Stopping; what is not done goes back to its queue ...", flush=True)
    finally:
        children.stop()
    return 0


def _watch(children: Children, demand: Demand) -> None:
    while True:
        for name in demand.asked():
            children.start_one(name)
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
