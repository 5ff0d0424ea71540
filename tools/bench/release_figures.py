"""The figure of releases: a process of their own, so that the most memory it held can be told.

`python -m tools.bench.release_figures CAMPAIGN` releases the campaign of that key and prints its time and memory.
"""

import json
import subprocess
import sys
from pathlib import Path

import django

from tools.bench.clock import Took, timed

STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PEAK, NOW = "VmHWM", "VmRSS"  # proc(5)


def releasing(campaign: int) -> Took:
    """Release a campaign's products in a process of its own, as JSON lines with the datasheet.

    `count`: its rows; `peak`: the MiB that the process held at most above what it held before.
    """
    command = [sys.executable, "-m", "tools.bench.release_figures", str(campaign)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return Took(*json.loads(done.stdout))


def memory(which: str) -> float:
    """MiB: PEAK since the last reset, or NOW."""
    lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return int(lines[which].split()[0]) / 1024


def _release(campaign: int) -> Took:
    from annotation.actions.make_release import make_release
    from annotation.models import Campaign, Release
    from tools.bench.web_server import embedded_processes

    found = Campaign.objects.select_related("study").get(pk=campaign)
    made: list[Release] = []
    settings = {"campaigns": [found.slug]}

    def release() -> None:
        made.append(make_release(study=found.study, settings=settings, changes="Once more."))

    RESET.write_text("5")  # the peak begins anew
    before = memory(NOW)
    took = timed(release, embedded_processes().values())
    return took._replace(count=made[0].counts["rows"], peak=memory(PEAK) - before)


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(_release(int(sys.argv[1]))) + "\n")
