"""Several processes that train one model together, one a GPU: started by torchrun, here or by a cluster's scheduler.

The first process (rank 0) holds the run: it writes its progress, its curves and its checkpoints. The others train
along in the same folder; the first tells them what to train.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil

from foundation import preemption
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.training.callbacks import Callbacks, Preempted, Stopped
from modelserving.training.dataset import read_dataset
from modelserving.transfer import TRANSFERS

KEY = "restyle"
VISIBLE = "CUDA_VISIBLE_DEVICES"
PATIENCE = timedelta(hours=1)  # until the first process has taken the dataset snapshot
OUTCOMES = "outcome-*.json"  # of each process by its rank
PR_SET_PDEATHSIG = 1  # Linux, <sys/prctl.h>
LAST_LINES = 12
LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class DistributedTraining:
    """The training of the processes: a run's `folder` with its dataset snapshot, and how it is trained."""

    folder: str
    model: str
    options: dict[str, Any]
    seed: int
    device: str


def rank() -> int:
    """The number of this process among those of torchrun; 0 for the first, or for a single one."""
    return int(os.environ.get("RANK", "0"))


def size() -> int:
    """The number of processes that train together."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def broadcast(what: DistributedTraining | None) -> None:
    """Tell the other processes, from the first, what to train; None where there is nothing to train."""
    if size() > 1:
        _store().set(KEY, json.dumps(asdict(what) if what else None))


def receive() -> DistributedTraining | None:
    """Wait for the message of the first process."""
    told = json.loads(_store().get(KEY))
    return DistributedTraining(**told) if told else None


def _store() -> Any:
    """Torchrun's own store of keys and texts."""
    from torch.distributed import TCPStore  # type: ignore[attr-defined]

    host, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
    return TCPStore(host, port, is_master=False, timeout=PATIENCE)


def train_along(what: DistributedTraining) -> None:
    """Train as one of the others until the first process ends it, or a UserError does, which is raised."""
    kind, folder = TRANSFERS[what.model], Path(what.folder)
    with suppress(Stopped):
        kind.fit(
            read_dataset(folder / "data"),
            validate_options(kind.Options, what.options),
            Callbacks(folder, what.seed, what.device),
        )
    leave()


def leave() -> None:
    """Leave at the end of a process that trained along with others, and where all stop together.

    After a UserError the others may still wait for this process: it then ends with an exit status, for which torchrun
    ends them too.
    """
    if size() > 1:
        from modelserving.training.process_group import leave_process_group

        leave_process_group()


def leave_outcome(folder: Path, outcome: dict[str, Any]) -> None:
    """Tell the process that waits for the training its outcome in this one; a refusal goes before all others."""
    (folder / OUTCOMES.replace("*", str(rank()))).write_text(json.dumps(outcome))


def _outcome(folder: Path) -> dict[str, Any]:
    """The outcome of the first process, with the refusal of any."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob(OUTCOMES), reverse=True):
        found |= json.loads(path.read_text())
    return found


def train_in_processes(run_id: int, holder: Any, folder: Path, devices: Sequence[str]) -> None:
    """Train a run that this process holds in a process for each of the devices, all of a kind, and wait for them.

    Raises Stopped where somebody asked them to stop, and Preempted where this process was asked to end: they are told
    so, and keep their state. Also raises a UserError of any of them.
    """
    for path in folder.glob(OUTCOMES):
        path.unlink()
    command = [
        sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={len(devices)}",
        "-m", "modelserving.training_runs.distributed_main", str(run_id), str(holder), devices[0].partition(":")[0],
    ]  # fmt: skip
    with (folder / "processes.log").open("w+b") as log:
        status = _wait(
            subprocess.Popen(  # noqa: S603 (our own program)
                command, stdout=log, stderr=subprocess.STDOUT, preexec_fn=_end_with_me,
                env={**os.environ, **seeing(devices, os.environ)},
            )
        )  # fmt: skip
        log.seek(0)
        said = log.read().decode("utf-8", "replace").splitlines()[-LAST_LINES:]
    outcome = _outcome(folder)
    if outcome.get("refused"):
        raise UserError(outcome["refused"])
    if outcome.get("stopped"):
        raise Stopped
    if outcome.get("preempted") or (preemption.asked() and not outcome):  # they may have ended before they listened
        raise Preempted
    if status or not outcome.get("done"):
        raise RuntimeError(f"The processes ended with status {status}:\n" + "\n".join(said))


def seeing(devices: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that let processes see these GPUs alone, of those that this process sees, which may not be all."""
    numbers = [int(device.partition(":")[2]) for device in devices if device.startswith("cuda")]
    if not numbers:
        return {}
    seen = environment.get(VISIBLE, "").split(",") if environment.get(VISIBLE) else []
    return {VISIBLE: ",".join(seen[number].strip() if seen else str(number) for number in numbers)}


def _wait(torchrun: "subprocess.Popen[bytes]") -> int:
    """Wait for the exit status. If this process is asked to end, the others are told: torchrun would kill them soon."""
    told = False
    while True:
        with suppress(subprocess.TimeoutExpired):
            return torchrun.wait(LOOK_SECONDS)
        if preemption.asked() and not told:
            told = True
            for one in psutil.Process(torchrun.pid).children():
                with suppress(ProcessLookupError):
                    os.kill(one.pid, signal.SIGTERM)


def _end_with_me() -> None:
    """Have the child, in which it runs, asked to stop when this process is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
