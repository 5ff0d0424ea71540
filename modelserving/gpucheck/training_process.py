"""A training of 200 steps that may be killed.

python -m modelserving.gpucheck.training_process KIND DEVICE small|full FOLDER
"""

import os
import sys
from pathlib import Path

import torch

from modelserving.gpucheck.examples import RandomBatches, made, networks
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer

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


if __name__ == "__main__":
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    if sys.argv[2].startswith("cuda"):
        torch.cuda.set_device(sys.argv[2])
    main(*sys.argv[1:])
