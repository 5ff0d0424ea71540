"""A signal leaves a mark; the same signal later ends the process, as it would have."""

import signal
import subprocess
import sys

from foundation import preemption
from foundation.project import ROOT


def test_a_signal_asks_while_the_block_lasts():
    before = signal.getsignal(signal.SIGUSR1)
    with preemption.listening(signal.SIGUSR1):
        assert not preemption.asked()
        signal.raise_signal(signal.SIGUSR1)
        assert preemption.asked()
        assert preemption.signal_name() == "SIGUSR1"
        signal.raise_signal(signal.SIGUSR1)  # of the same breath
        assert preemption.asked()
    assert not preemption.asked()
    assert preemption.signal_name() == ""
    assert signal.getsignal(signal.SIGUSR1) == before


def test_the_same_signal_later_ends_the_process():
    script = """if True:
        import signal
        from foundation import preemption
        preemption.AGAIN_SECONDS = 0.0
        preemption.listen(signal.SIGTERM, signal.SIGUSR1)
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGUSR1)
        print(preemption.signal_name(), flush=True)
        signal.raise_signal(signal.SIGTERM)
        print("it goes on")
    """
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "SIGTERM\n")
