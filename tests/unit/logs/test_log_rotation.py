"""Logs are kept to a size while their writers have them open."""

import os

from logs.rotation import Rotation

LIMITS = {"RESTYLE_LOG_BYTES": "100", "RESTYLE_LOG_FILES": "2"}


def test_a_log_is_turned_over_while_several_processes_write_it(tmp_path):
    log, rotation = tmp_path / "web.log", Rotation(tmp_path, LIMITS)
    one, two = (os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND) for _ in range(2))
    for number in range(5):
        os.write(one, b"%d one %s\n" % (number, b"x" * 50))
        os.write(two, b"%d two %s\n" % (number, b"x" * 50))
        rotation.look()
    assert log.read_bytes() == b""
    os.write(two, b"last\n")
    assert log.read_text() == "last\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["web.log", "web.log.1", "web.log.2"]
    assert (tmp_path / "web.log.1").read_text().startswith("4 one")
    assert (tmp_path / "web.log.2").read_text().startswith("3 one")


def test_a_short_log_and_other_files_stay(tmp_path):
    (tmp_path / "web.log").write_text("short")
    (tmp_path / "notes.txt").write_text("x" * 1000)
    Rotation(tmp_path, LIMITS).look()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.txt", "web.log"]


def test_settings_that_are_none_leave_what_stands():
    assert Rotation(None, {"RESTYLE_LOG_BYTES": "much"}).most == 10_000_000
    assert Rotation(None, {"RESTYLE_LOG_FILES": "0"}).count == 0
