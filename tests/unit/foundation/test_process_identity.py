import os
import signal
import subprocess
import sys

import psutil

from foundation.process_identity import (
    LONGEST,
    find_process,
    has_ended,
    kill_process_tree,
    machine_identity,
    process_identity,
)

PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).wait()"


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
    with subprocess.Popen([sys.executable, "-c", PARENT], start_new_session=True) as parent:
        process = psutil.Process(parent.pid)
        while not process.children():
            pass
        (child,) = process.children()
        kill_process_tree(process)
        assert parent.wait() == -signal.SIGKILL
        assert has_ended(child)
