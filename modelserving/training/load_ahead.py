"""Loads things in a thread while those before them are in use."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Asked = TypeVar("Asked")
Loaded = TypeVar("Loaded")


def load_ahead(load: Callable[[Asked], Loaded], wanted: Iterable[Asked], ahead: int) -> Generator[Loaded]:
    """The results of `load`, in order, loaded up to `ahead` of use; an error is raised where its result is due.

    It is called in one thread, which ends with the generator, also when that is closed. With 0 ahead there is none.
    """
    if not ahead:
        yield from map(load, wanted)
        return
    waiting: deque[Future[Loaded]] = deque()
    with ThreadPoolExecutor(1, "load-ahead") as thread:
        try:
            for one in wanted:
                waiting.append(thread.submit(load, one))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for result in waiting:
                result.cancel()
