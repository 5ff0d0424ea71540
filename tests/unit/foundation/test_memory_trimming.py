"""What a large answer took goes back to the machine when it is free."""

import subprocess
import sys

import pytest

MEMORY = """
import sys
from foundation.memory_trimming import return_freed_memory
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
