import os
import signal
import subprocess
import sys

import psutil

from jobs.processes import LONGEST, ended, identity, kill, machine, process_of

PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).wait()"


def test_a_process_is_found_by_its_name_and_no_other_is():
    me = identity()
    assert process_of(me).pid == os.getpid()
    assert len(me) <= LONGEST
    assert process_of(f"{machine()}{os.getpid()} 1") is None  # the number is another's now
    assert process_of(f"elsewhere {me}") is None
    assert process_of(f"{machine()}4194999 1") is None
    assert process_of(f"{machine()}nonsense") is None
    assert process_of("") is None


def test_with_a_process_goes_all_that_it_started():
    with subprocess.Popen([sys.executable, "-c", PARENT], start_new_session=True) as parent:
        process = psutil.Process(parent.pid)
        while not process.children():
            pass
        (child,) = process.children()
        kill(process)
        assert parent.wait() == -signal.SIGKILL
        assert ended(child)
