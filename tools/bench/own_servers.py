"""`python -m tools.bench.own_servers`: the bench on servers of its own, in a folder that is thrown away.

The arguments are those of `python -m tools.bench.measuring`. The servers are those of the commit whose modules
are on the path.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from embedded import servers


def main(arguments: list[str]) -> int:
    """Measure; the exit status of the bench."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: sys.exit(128 + number))  # so that the servers are stopped
    # Those of the user's own data; the secret key is theirs too.
    for name in ("DATABASE_URL", "REDIS_URL", "RESTYLE_EMBEDDED", "RESTYLE_DATA", "SECRET_KEY"):
        os.environ.pop(name, None)
    data = Path(tempfile.mkdtemp(prefix="restyle-bench-"))
    try:
        with servers(data):
            return subprocess.run([sys.executable, "-m", "tools.bench.measuring", *arguments]).returncode
    finally:
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
