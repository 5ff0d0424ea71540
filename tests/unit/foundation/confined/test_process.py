"""A process of its own for a file from outside: what it answers, how it ends, and what is said of its end."""

import gc
import io
import os
import pickle
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from support import confined_work as work

from corpora.table_parser import ManyTables
from foundation import translation
from foundation.confined import Confined, TooManyFiles, confined, confined_items, process, reader, turns
from foundation.confined.messages import NEXT, Limits, send
from foundation.errors import UserError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere functions are called as they are")


@pytest.fixture(autouse=True)
def of_this_test(monkeypatch):
    """No process of another test answers."""
    idle = process._Idle()
    monkeypatch.setattr(process, "_idle", idle)
    yield
    for one in idle._kept:
        one.end()


def said_of(function, *args) -> str:
    with pytest.raises(UserError) as caught, Confined("rows.xlsx") as beside:
        beside.call(function, *args)
    assert caught.value.where == "rows.xlsx"
    return caught.value.sentence


def test_it_answers_from_a_process_that_is_kept_for_the_next_file():
    first = confined(os.getpid)
    assert first != os.getpid()
    assert confined(os.getpid) == first
    with Confined() as one, Confined() as two:
        assert len({one.call(os.getpid), two.call(os.getpid)}) == 2


def test_it_holds_no_secret(monkeypatch):
    for name in ("SECRET_KEY", "DATABASE_URL", "RESTYLE_LANGUAGE_MODEL_KEYS", "OIDC_CLIENT_SECRET"):
        monkeypatch.setenv(name, "secret")
    assert not [name for name, value in confined(work.variables).items() if "secret" in value]


@pytest.mark.parametrize(("function", "args", "words"), [
    (work.fill_memory, (4000,), "more than 512 MB of memory"),
    (work.say_and_abort, (b"memory allocation of 4398046511104 bytes failed\n",), "more than 512 MB of memory"),
    (work.say_and_abort, (b"terminate called after throwing an instance of 'std::bad_alloc'\n",), "of memory"),
    (work.say_and_abort, (b"assertion failed\n",), "the reader of such files failed"),
    (work.leave, (0,), "the reader of such files failed"),
    (sys.exit, (), "the reader of such files failed"),
    (work.leave, (3,), "the reader of such files failed"),
    (work.fail, (), "the reader of such files failed"),
])  # fmt: skip
def test_each_end_is_one_sentence(function, args, words):
    assert words in said_of(function, *args)
    assert confined(os.getpid)  # the next file is read


def test_time_has_a_limit(monkeypatch):
    monkeypatch.setattr(process, "LIMITS", Limits(seconds=1))
    assert "more than 1 seconds" in said_of(work.compute_for_ever)
    assert confined(int, "1") == 1


def test_what_waits_has_a_limit_too(monkeypatch):
    monkeypatch.setattr(process, "PATIENCE", 0)
    assert "seconds, the limit" in said_of(work.compute_for_ever)


def test_the_disk_has_a_limit(monkeypatch):
    monkeypatch.setenv("RESTYLE_FILE_DISK", "1")
    assert "the limit" in said_of(work.fill_disk, 3)


def test_what_comes_back_has_a_limit(monkeypatch):
    """It waits in the memory of whoever asks: so much of a small file, and ten times a larger one."""
    monkeypatch.setattr(process, "LIMITS", Limits(memory=4))
    with pytest.raises(UserError, match="unpacks to more than 1 MB"):
        list(confined_items(work.texts, 5_000, 1_000))
    with pytest.raises(UserError, match="unpacks to more than 1 MB"):
        confined(str.__mul__, "a", 2_000_000)
    assert len(list(confined_items(work.texts, 500, 1_000))) == 500
    assert len(confined(bytes.__add__, b"a" * 500_000, b"b" * 1_500_000)) == 2_000_000


@pytest.fixture
def two_at_once(monkeypatch, tmp_path):
    """Two files at the same time, and nobody waits."""
    monkeypatch.setenv("RESTYLE_DATA", str(tmp_path))
    monkeypatch.setattr(turns, "LIMITS", Limits(at_once=2))
    monkeypatch.setattr(turns, "_longest", 0)


def in_a_thread(function, *args):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *args).result()


def test_only_so_many_files_are_read_at_the_same_time(two_at_once):
    with ThreadPoolExecutor(2) as pool, Confined() as mine:
        mine.call(int, "1")
        theirs = pool.submit(lambda: Confined().__enter__()).result()
        assert pool.submit(theirs.call, int, "2").result() == 2
        with pytest.raises(TooManyFiles):
            in_a_thread(confined, int, "3")
        assert mine.call(int, "4") == 4, "who has a turn keeps it"
        with Confined() as further:
            assert further.call(int, "5") == 5, "and opens further files: it would wait for itself"
            mine.close()
            with pytest.raises(TooManyFiles):
                in_a_thread(confined, int, "6")
        assert in_a_thread(confined, int, "7") == 7
        assert mine.call(int, "8") == 8
        theirs.close()
    assert in_a_thread(confined, int, "9") == 9


def test_a_turn_ends_with_its_process_and_with_what_nobody_closed(two_at_once):
    script = "import foundation.confined as c; a = c.Confined(); a.call(int, '1'); print('held', flush=True); input()"
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "RESTYLE_FILES_AT_ONCE": "2"}
    holders = [
        subprocess.Popen([sys.executable, "-c", script], env=there, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        assert [one.stdout.readline() for one in holders] == [b"held\n"] * 2
        with pytest.raises(TooManyFiles):
            confined(int, "1")
        holders[0].kill()
        holders[0].wait()
        Confined().call(int, "2")
        gc.collect()
        assert in_a_thread(confined, int, "3") == 3
    finally:
        for one in holders:
            one.kill()
            one.communicate()


def test_whoever_waits_comes_when_it_is_their_turn(two_at_once, monkeypatch):
    monkeypatch.setattr(turns, "_longest", None)
    held, looked = [turns.Turn()], threading.Event()
    held.append(in_a_thread(turns.Turn))
    monkeypatch.setattr(turns.time, "sleep", lambda seconds: looked.set())
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(confined, int, "1")
        assert looked.wait(60)
        assert not waiting.done()
        held[1].end()
        assert waiting.result(60) == 1
    held[0].end()


def test_a_process_that_ended_is_replaced():
    gone = psutil.Process(first := confined(os.getpid))
    gone.kill()
    gone.wait()
    assert confined(os.getpid) != first


def test_one_that_ends_while_it_is_asked_is_replaced():
    """Its time without work is over between the look whether it lives and the question."""
    confined(os.getpid)
    process._idle._kept[0].data.shutdown(socket.SHUT_WR)  # it sees an end, and ends by itself
    assert confined(int, "7") == 7


@pytest.mark.parametrize("rests", [((1 << 40, 0.0),), ((0, 600.0),)])
def test_it_ends_without_work_and_where_a_file_left_it_large(monkeypatch, rests):
    monkeypatch.setattr(reader, "RESTS", rests)
    ours, other = socket.socketpair()
    with ours, other:
        send(ours, pickle.dumps((NEXT,)))
        reader.Reader(other).run()  # returns, though who asks is still there


def test_items_come_in_order_and_an_error_after_those_before_it():
    assert list(confined_items(work.counted, 12_345)) == list(range(12_345))
    found, items = [], confined_items(work.counted, 100, 50)
    with pytest.raises(UserError, match="It ends here") as caught:
        found.extend(items)
    assert (found, caught.value.where) == (list(range(50)), "there")


def test_another_question_may_come_before_all_items_were_used():
    with Confined() as beside:
        items = beside.items(work.counted, 1_000_000)
        assert next(items) == 0
        assert beside.call(int, "3") == 3
        assert list(beside.items(work.counted, 3)) == [0, 1, 2]
        with pytest.raises(RuntimeError, match="Something else was asked"):
            list(items)
    first = confined(os.getpid)
    assert next(iter(confined_items(work.counted, 1_000_000))) == 0
    assert confined(os.getpid) == first  # what nobody uses does not end it


class Pieces:
    """A stream that can only be read on."""

    def __init__(self, data):
        self.stream, self.place = io.BytesIO(data), 0

    def read(self, size=-1, /):
        return self.stream.read(size)

    def reached(self, place):
        self.place = place


def test_an_end_within_the_items_is_said_too():
    items = confined_items(work.ends_after, 5)
    assert [next(items) for _ in range(5)] == list(range(5))
    with pytest.raises(UserError, match="the reader of such files failed"):
        next(items)


def test_open_files_are_handed_over_whatever_they_are(tmp_path):
    data = b"".join(b"line %d\n" % number for number in range(10_000))
    (path := tmp_path / "lines.txt").write_bytes(data)
    with path.open("rb") as file:
        file.read(10)
        for one in (file, io.BytesIO(data), pieces := Pieces(data)):
            assert b"".join(confined_items(work.lines, one)) == data
        assert file.tell() == 10
    assert pieces.place == len(data)
    assert confined(work.size_of, path) == len(data)


def test_sentences_are_in_the_language_of_who_reads_them(monkeypatch):
    monkeypatch.setattr(translation, "_translate", lambda sentence: sentence.replace("There are", "Es gibt"))
    monkeypatch.setattr(translation, "_group", lambda count: f"{count:,}".replace(",", "."))
    assert confined(work.told, 3) == "Es gibt 3 of them."
    with pytest.raises(UserError) as caught:
        confined(work.refuse, 12_345)
    assert str(caught.value) == "here: Es gibt 12.345 of them."


def test_errors_of_any_kind_come_back_whole():
    error = pickle.loads(pickle.dumps(ManyTables("x.zip", ["a.csv", "b.csv"])))  # noqa: S301
    assert (type(error), error.parts, error.where) == (ManyTables, ("a.csv", "b.csv"), "x.zip")
    assert str(error) == str(ManyTables("x.zip", ["a.csv", "b.csv"])) == error.args[0]


def test_limits_are_what_the_environment_says():
    assert Limits.of({}) == Limits(memory=512, seconds=20, disk=1024)
    assert Limits.of({"RESTYLE_FILE_MEMORY": "1024", "RESTYLE_FILE_SECONDS": ""}).memory == 1024
    for wrong in ("0", "-1", "a", "1.5"):
        with pytest.raises(UserError, match="RESTYLE_FILE_SECONDS"):
            Limits.of({"RESTYLE_FILE_SECONDS": wrong})
    assert [Limits().seconds_for(size) for size in (0, 50 << 20, (50 << 20) + 1, 500 << 20)] == [20, 20, 40, 200]
