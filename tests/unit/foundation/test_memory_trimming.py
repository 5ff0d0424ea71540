"""What a large answer took goes back to the machine when it is free."""

import subprocess
import sys

import pytest

MEMORY = """
import sys
from foundation.processes import return_freed_memory
if sys.argv[1] == "back":
    return_freed_memory()
for size in (1, 8):
    last = bytearray(size << 20)
    del last  # of the second time glibc keeps what is as large as the first
blocks = [bytearray(200_000) for _ in range(200)]
above = bytearray(1000)
del blocks[:-1]
with open("/proc/self/smaps_rollup") as rollup:
    print(next(int(line.split()[1]) for line in rollup if line.startswith("Rss:")) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's")
def test_large_blocks_are_given_back():
    kept, back = (
        int(subprocess.run([sys.executable, "-c", MEMORY, how], capture_output=True, check=True, text=True,
                           env={"PYTHONPATH": "platform"}).stdout)
        for how in ("kept", "back")
    )  # fmt: skip
    assert back < kept - 20


BETWEEN = """
import time
from foundation.processes import keep_returning_freed_memory, return_freed_memory

def held():
    with open("/proc/self/smaps_rollup") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Rss:")) // 1024

return_freed_memory()
blocks = [bytearray(2_000) for _ in range(20_000)]
most = held()
del blocks[: -1 : 2], blocks[: -1 : 2], blocks[: -1 : 2], blocks[: -1 : 2], blocks[: -1 : 2]  # one of 32 stays
kept = held()
keep_returning_freed_memory(0.01)
give_up = time.monotonic() + 60
while held() > most - 20 and time.monotonic() < give_up:
    pass
print(most - kept, most - held())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's")
def test_small_blocks_between_others_are_given_back():
    said = subprocess.run([sys.executable, "-c", BETWEEN], capture_output=True, check=True, text=True,
                          env={"PYTHONPATH": "platform"}).stdout  # fmt: skip
    by_itself, back = map(int, said.split())
    assert by_itself < 10
    assert back >= 20
