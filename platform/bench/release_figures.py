"""The figure of releases: a process of their own, so that the most memory it held can be told.

`python -m bench.release_figures CAMPAIGN` releases the campaign of that key and prints what that took.
"""

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import django

STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PEAK, NOW = "VmHWM", "VmRSS"  # proc(5)


@dataclass
class Released:
    """Rows, seconds, and the MiB that the process held before and at most while it released."""

    rows: int
    took: float
    before: float
    peak: float

    @property
    def grew(self) -> float:
        return self.peak - self.before


def releasing(campaign: int) -> Released:
    """Release a campaign's products in a process of its own, as JSON lines with the datasheet."""
    command = [sys.executable, "-m", "bench.release_figures", str(campaign)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return Released(**json.loads(done.stdout))


def memory(which: str) -> float:
    """MiB: PEAK since the last reset, or NOW."""
    lines = dict(line.split(":", 1) for line in STATUS.read_text().splitlines())
    return int(lines[which].split()[0]) / 1024


def _release(campaign: int) -> Released:
    from annotation.actions.make_release import make_release
    from annotation.models import Campaign

    found = Campaign.objects.select_related("study").get(pk=campaign)
    RESET.write_text("5")  # the peak begins anew
    before, began = memory(NOW), time.perf_counter()
    made = make_release(study=found.study, settings={"campaigns": [found.slug]}, changes="Once more.")
    took = time.perf_counter() - began
    return Released(made.counts["rows"], took, before, memory(PEAK))


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(asdict(_release(int(sys.argv[1])))) + "\n")
