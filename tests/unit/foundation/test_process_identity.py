import os
import signal
import subprocess
import sys

import psutil

from foundation.processes import (
    LONGEST,
    find_process,
    has_ended,
    kill_process_tree,
    machine_identity,
    process_identity,
)

# Both wait for an end of their input that never comes: a parent that waits for its child ends by itself with the child.
WAITS = "import sys; sys.stdin.read()"
PARENT = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', '{WAITS}']).pid, flush=True); {WAITS}"


def test_a_process_is_found_by_its_name_and_no_other_is():
    me = process_identity()
    assert find_process(me).pid == os.getpid()
    assert len(me) <= LONGEST
    assert find_process(f"{machine_identity()}{os.getpid()} 1") is None  # the number is another's now
    assert find_process(f"elsewhere {me}") is None
    assert find_process(f"{machine_identity()}4194999 1") is None
    assert find_process(f"{machine_identity()}nonsense") is None
    assert find_process("") is None


def test_with_a_process_goes_all_that_it_started():
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        kill_process_tree(psutil.Process(parent.pid))
        assert parent.wait() == -signal.SIGKILL
        assert has_ended(child)
