"""The watchdog of this machine's workers, as a process: `python -m launcher.job_watchdog [SCHEDULE]`.

Under `make run` it is the site's clock too, which keeps in the file SCHEDULE when it did each task. Both wait most of
the time, and a process of its own for each would hold 30 MiB and more.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import django

TICK = 1.0  # seconds that the clock sleeps at most, so that it hears soon that it shall stop


def main(arguments: list[str]) -> None:
    """Watch until a signal to stop comes, or the clock fails: whoever started both starts them again."""
    django.setup()
    from jobs import recovery

    over = threading.Event()
    with _clock(arguments[0], over) if arguments else nullcontext():
        recovery.main(over)


@contextmanager
def _clock(schedule: str, over: threading.Event) -> Iterator[None]:
    """Celery's beat in a thread; `over` is set where it ends by itself."""
    from celery import current_app, signals
    from celery.beat import Service

    service = Service(current_app, max_interval=TICK, schedule_filename=schedule, remote_control=False)
    started = threading.Event()

    def tick() -> None:
        try:
            service.start()
        finally:
            over.set()
            started.set()

    # Its own start closes the pool of connections, which is the watchdog's too.
    signals.beat_init.connect(lambda **_: started.set(), weak=False)
    thread = threading.Thread(target=tick, name="beat", daemon=True)
    thread.start()
    started.wait()
    try:
        yield
    finally:
        service.stop()
        thread.join(5 * TICK)


if __name__ == "__main__":
    main(sys.argv[1:])
