"""200 steps, killed by SIGKILL on the way and resumed, end with the weights of 200 that nobody disturbed.

`python -m tools.gpucheck.resume KIND DEVICE small|full FOLDER` is one such training, which may be killed.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

from modelserving.training import weights
from modelserving.training.callbacks import Callbacks
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer
from tools.gpucheck.examples import RandomBatches, made, networks
from tools.gpucheck.settings import CheckFailed, CheckSettings

STEPS, KEEP_EVERY, EPOCHS = 200, 30, 4
OUTCOME = "done"


def main(kind: str, device: str, size: str, folder: str) -> None:
    """Train, or go on with what the folder holds."""
    small = size == "small"
    torch.use_deterministic_algorithms(True, warn_only=True)
    net = made(networks(small)[kind])
    count, longest, words = (4, 9, 40) if small else (32, 40, 8000)
    batches = RandomBatches(count * STEPS // EPOCHS, count, longest, words)
    recipe = TrainingRecipe(batch=count, epochs=EPOCHS, patience=0, keep_every=KEEP_EVERY, smoothing=0.1)
    place = Path(folder)
    Trainer(
        net, batches, recipe, Callbacks(place, 1, device),
        lambda kept: weights.write(kept / weights.FILE, weights.tensors_of(net)), device=device,
    ).run()  # fmt: skip
    (place / OUTCOME).touch()


KINDS = ("transformer", "attention")  # the first alone where it is small
NEAR = 1e-3  # of the largest weight: what sums in another order may come to in 200 steps


def check(settings: CheckSettings) -> dict[str, Any]:
    """Whether all weights are equal, by network; where they are not, the distance of two undisturbed trainings."""
    found = {kind: _compared(kind, settings) for kind in KINDS[: 1 if settings.small else None]}
    far = [kind for kind, one in found.items() if not (one["equal"] or one["largest difference"] <= NEAR)]
    if far:
        raise CheckFailed(f"Resumed trainings end elsewhere: {', '.join(far)}.", found)
    return found


def _compared(kind: str, settings: CheckSettings) -> dict[str, Any]:
    undisturbed, killed = settings.folder / kind / "undisturbed", settings.folder / kind / "killed"
    _train(kind, settings, undisturbed)
    at = _killed_on_the_way(kind, settings, killed)
    _train(kind, settings, killed)
    found = {
        "steps": STEPS,
        "killed at step": at,
        "equal": True,
        "largest difference": _difference(undisturbed, killed),
    }
    if found["largest difference"]:
        _train(kind, settings, settings.folder / kind / "again")
        found["equal"] = False
        found["of two undisturbed"] = _difference(undisturbed, settings.folder / kind / "again")
    return found


def _process(kind: str, settings: CheckSettings, folder: Path) -> "subprocess.Popen[bytes]":
    folder.mkdir(parents=True, exist_ok=True)
    size = "small" if settings.small else "full"
    command = [sys.executable, "-m", "tools.gpucheck.resume", kind, settings.device, size, str(folder)]
    return subprocess.Popen(command)


def _train(kind: str, settings: CheckSettings, folder: Path) -> None:
    status = _process(kind, settings, folder).wait()
    if status:
        raise CheckFailed(f"The training of {kind} ended with status {status}.", {})


def _killed_on_the_way(kind: str, settings: CheckSettings, folder: Path) -> int:
    """Kill it once it has kept a state; the step of that state."""
    process = _process(kind, settings, folder)
    while not (folder / "last").exists() and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    if process.wait() != -signal.SIGKILL:
        raise CheckFailed(f"The training of {kind} was over before it could be killed.", {})
    if (folder / OUTCOME).exists():
        raise CheckFailed(f"The training of {kind} was done before it was killed.", {})
    kept = folder / "last" if (folder / "last").exists() else folder / ".old-last"
    return int(json.loads((kept / "position.json").read_text())["step"])


def _difference(one: Path, other: Path) -> float:
    ours, theirs = (weights.read(folder / "last" / weights.FILE) for folder in (one, other))
    largest = max(float(weight.abs().max()) for weight in ours.values())
    apart = max(float((weight - theirs[name]).abs().max()) for name, weight in ours.items())
    return apart / largest if torch.isfinite(torch.tensor(apart)) else float("inf")


if __name__ == "__main__":
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    if sys.argv[2].startswith("cuda"):
        torch.cuda.set_device(sys.argv[2])
    main(*sys.argv[1:])
