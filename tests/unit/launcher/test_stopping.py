"""A signal stops the launcher, also where Python drops the exception that it raises."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from launcher import __main__ as launcher
from launcher.children import Children


@pytest.fixture
def asked_to_stop() -> Iterator[None]:
    """The signal came while an object was cleared away: what its handler raised is lost, further ones are ignored."""
    before = {number: signal.getsignal(number) for number in launcher.STOP_SIGNALS}

    class Cleared:
        def __del__(self) -> None:
            launcher._interrupt(signal.SIGTERM, None)

    cleared = Cleared()
    del cleared
    yield
    launcher._told_to_stop.clear()
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("asked_to_stop")
def test_a_signal_whose_exception_was_dropped_stops_it(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        launcher._watch(tmp_path, Children(tmp_path, {}))
