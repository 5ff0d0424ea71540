"""What the start says before anything is installed; installations are tried in tests/integration."""

import os
import re
import socket

import pytest

from launcher import bootstrap
from launcher.bootstrap import Failure


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "The disk is full"),
        ("error: command 'g++' failed: No such file or directory", "no C++ compiler"),
        (
            "error: [Errno 2] No such file or directory: 'x'\nerror: command '/usr/bin/gcc' failed with exit code 1",
            "C++",
        ),
        (
            "error: [Errno 2] No such file or directory: 'g++'\n  ERROR: Failed building wheel for leveldb",
            "no C++ compiler",
        ),
        ("fatal error: Python.h: No such file or directory", "python3-dev"),
        ("ERROR: No matching distribution found for torch==2.13.0", "no package torch==2.13.0 for Python"),
        ("NewConnectionError: Failed to establish a new connection: [Errno -2]", "check the network"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated\n"
            "    orjson==3.1 from https://example.org/orjson-3.1.whl (from -r requirements.lock (line 9)):\n",
            "found for orjson==3.1 is not the one that was tested",
        ),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "may not be written"),
    ],
)
def test_a_failed_installation_is_one_sentence(output, sentence):
    said = bootstrap.explain("Collecting torch\n" + output, "It failed")
    assert sentence in said
    assert "\n" not in said


def test_an_unknown_failure_shows_the_end_of_the_log():
    said = bootstrap.explain("\n".join(f"line {number}" for number in range(50)), "It failed")
    assert said.startswith("It failed; the end of the output")
    assert said.endswith("line 48\nline 49")
    assert "line 10" not in said


def test_a_taken_port_is_said():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Failure, match=rf"^Port {port} is taken .*PORT=8080\.$"):
            bootstrap.refuse_taken_port("127.0.0.1", str(port))


@pytest.mark.parametrize("port", ["", "eight", "0", "65536", "-1"])
def test_a_port_that_is_none_is_said(port):
    with pytest.raises(Failure, match="give a number from 1 to 65535"):
        bootstrap.refuse_taken_port("127.0.0.1", port)


def test_an_old_python_is_said(monkeypatch):
    monkeypatch.setattr(bootstrap, "OLDEST", (99, 0))
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Failure, match=r"needs Python 99.0 to 3.14, and only Python \d+\.\d+ was found"):
        bootstrap.use_a_python_that_fits()


def test_a_python_that_came_after_the_lock_files_is_said(monkeypatch):
    monkeypatch.setattr(bootstrap, "NEWEST", (3, 10))
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Failure, match=r"needs Python 3.11 to 3.10, and only Python \d+\.\d+ was found"):
        bootstrap.use_a_python_that_fits()


@pytest.mark.parametrize(("system", "machine"), [("FreeBSD", "x86_64"), ("Linux", "riscv64"), ("Darwin", "x86_64")])
def test_a_machine_that_the_packages_are_not_there_for_is_said(monkeypatch, system, machine):
    monkeypatch.setattr(os, "uname", lambda: (system, "", "", "", machine))
    with pytest.raises(Failure, match=f"^Restyle needs Linux on x86_64 or aarch64; .* this is {system} on {machine}"):
        bootstrap.use_a_python_that_fits()


@pytest.mark.parametrize(
    "said",
    [
        "ERROR: No matching distribution found for torch==1+cpu",
        "    The user requested torch==1+cpu\n    The user requested (constraint) torch<=9\nERROR: Resolution",
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If\n    torch==1+cpu from https://x:",
    ],
)
def test_the_build_for_processors_was_not_found(said):
    assert re.search(bootstrap.NO_CPU_BUILD, said)
