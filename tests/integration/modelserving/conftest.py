import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def environment(_processes_environment: dict[str, str]) -> dict[str, str]:
    """Of real processes beside the tests, on the test's database."""
    return dict(_processes_environment)


@pytest.fixture
def own_interrupt() -> Iterator[None]:
    """Ctrl-C ends the run of the tests again behind a command that took it."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
