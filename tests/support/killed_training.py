"""A training on the twenty pairs that is killed on the way, in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HERE = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("", "platform", "tests"))}
CODE = """
import os, signal, sys
from pathlib import Path
import torch
from support.tiny_pairs import small, twenty
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS

class Deadly(Callbacks):
    def at(self, done, total):
        if done >= int(sys.argv[4]):
            os.kill(os.getpid(), signal.SIGKILL)

folder, kind = Path(sys.argv[1]), TRANSFERS[sys.argv[2]]
torch.set_num_threads(1)
kind.fit(twenty(folder / "data"), small(kind.Options, **eval(sys.argv[3])), Deadly(folder / "run", seed=5))
"""


def kill_training(name: str, folder: Path, given: Mapping[str, Any], at: int) -> Path:
    """Train the model `name` with seed 5 until batch `at`; the folder of the training, which keeps its last state."""
    run = folder / "run"
    run.mkdir()
    command = [sys.executable, "-c", CODE, str(folder), name, repr(dict(given)), str(at)]
    here = {**os.environ, "PYTHONPATH": HERE["PYTHONPATH"]}  # with what a test has set meanwhile
    assert subprocess.run(command, env=here, check=False).returncode == -signal.SIGKILL
    assert (run / "last").is_dir()
    return run
