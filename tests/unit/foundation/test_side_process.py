"""Science beside the web process: the same answers from another process, which ends by itself."""

import math
import os
import signal
import threading
from functools import partial
from multiprocessing import Pipe

import psutil
import pytest
from support.confined_work import leave

from corpora.tabular_files import _written
from foundation import side_process, side_process_main
from foundation.errors import UserError
from foundation.languages import check_language
from foundation.side_process import CALL, SideProcess, in_process_of_its_own, in_side_process, stream_in_side_process


@pytest.fixture
def beside():
    process = SideProcess()
    yield process
    process.end()


def test_elsewhere_than_in_the_web_a_function_is_called_as_it_is():
    assert in_side_process(os.getpid) == os.getpid()
    assert list(stream_in_side_process(lambda items: (bytes([item]) for item in items), [1, 2])) == [b"\x01", b"\x02"]


def test_it_answers_from_one_process_that_is_not_this_one(beside):
    first = beside.call(os.getpid, (), {})
    assert first not in (os.getpid(), None)
    assert beside.call(os.getpid, (), {}) == first
    assert beside.call(math.prod, ([2, 3],), {"start": 7}) == 42


def test_one_of_its_own_answers_once_and_is_gone(monkeypatch):
    assert in_process_of_its_own(os.getpid) == os.getpid()
    monkeypatch.setattr(side_process, "_used", True)
    answered = in_process_of_its_own(os.getpid)
    assert answered != os.getpid()
    psutil.wait_procs([psutil.Process(answered)] if psutil.pid_exists(answered) else [], timeout=30)
    assert not psutil.pid_exists(answered)


def test_errors_come_back_as_they_are(beside):
    with pytest.raises(UserError, match="BCP 47") as refused:
        beside.call(check_language, ("the language of my grandmother",), {})
    assert refused.value.where == "language"
    with pytest.raises(ValueError, match="invalid literal"):
        beside.call(int, ("x",), {})
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        beside.call(divmod, (1, 0), {})
    assert beside.call(int, ("1",), {}) == 1


def test_a_process_that_has_ended_is_started_again(beside):
    psutil.Process(first := beside.call(os.getpid, (), {})).kill()
    assert beside.call(os.getpid, (), {}) != first


def test_what_ends_it_is_said(beside):
    with pytest.raises(RuntimeError, match="ended before it had answered"):
        beside.call(leave, (1,), {})


def test_who_waits_too_long_is_told(beside, monkeypatch):
    monkeypatch.setattr("foundation.side_process.LIMIT", 0.0)
    with pytest.raises(UserError, match="too long for a page"):
        beside.call(signal.pause, (), {})
    monkeypatch.undo()
    assert beside.call(int, ("1",), {}) == 1


def test_it_ends_when_nobody_asks(monkeypatch):
    monkeypatch.setattr(side_process_main, "IDLE", 0.0)
    ours, other = Pipe()
    with ours, other:
        side_process_main.answer_all(other)  # returns


def test_it_ends_when_who_asked_is_gone():
    ours, other = Pipe()
    ours.send((CALL, int, ("1",), {}))
    with other:
        answered = threading.Thread(target=lambda: [ours.recv(), ours.close()])
        answered.start()
        with pytest.raises(SystemExit):
            side_process_main.answer_all(other)
        answered.join()


def test_a_stream_is_made_of_items_sent_a_batch_at_a_time(beside, tmp_path):
    from pyarrow import parquet

    sent = iter([(str(n), n) for n in range(1_200)])
    made = b"".join(beside.stream(partial(_written, [("text", "text"), ("n", "whole")], tuple), sent))
    (file := tmp_path / "made.parquet").write_bytes(made)
    assert parquet.read_table(file).to_pylist() == [{"text": str(n), "n": n} for n in range(1_200)]


def test_a_stream_that_nobody_reads_on_ends(beside):
    stream = beside.stream(partial(_written, [("n", "whole")], tuple), ((n,) for n in range(30_000)))
    assert next(stream)[:4] == b"PAR1"
    process = psutil.Process(beside._process.pid)
    beside.end()
    process.wait(60)
