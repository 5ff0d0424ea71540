"""A model whose parts lie on two processes learns as one does, and goes on as if nothing had happened."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from support import tiny_transformers
from support.tiny_pairs import twenty

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained.options import PretrainedOptions
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS

TRAINED = {
    "folder": "t5", "rate": 0.003, "batch": 4, "accumulate": 2, "epochs": 3, "warmup": 2, "decay": 0.01, "read": 64,
    "write": 24, "keep_every": 2,
}  # fmt: skip

TOGETHER = """
import json, sys
from contextlib import suppress
from pathlib import Path
import torch
from foundation.options import validate_options
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training.dataset import read_dataset
from modelserving.training.process_group import join_process_group
from modelserving.transfer import TRANSFERS

class Stops(Callbacks):
    calls = 0
    def at(self, done, total):
        self.calls += 1
        if join_process_group("cpu").first and self.calls == stop:
            raise Stopped

folder, given, stop = Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(1)
kind = TRANSFERS["t5"]
with suppress(Stopped):
    kind.fit(read_dataset(folder.parent / "data"), validate_options(kind.Options, given), Stops(folder, 5))
"""


def together(folder: Path, stop: int) -> None:
    """Train in two processes; the first stops at that call."""
    script, root = folder.parent / "together.py", Path(__file__).parents[4]
    script.write_text(TOGETHER)
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(str(root / part) for part in ("", "platform", "tests"))}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(script)]
    given = json.dumps({**TRAINED, "sharded": True})
    done = subprocess.run([*command, str(folder), given, str(stop)], env=here, capture_output=True, text=True)
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if line.startswith("[rank"))


def kept(folder: Path) -> dict[str, torch.Tensor]:
    files = ("last/weights.safetensors", "last/optimizer.safetensors", "best/weights.safetensors")
    return {f"{name}:{key}": value for name in files for key, value in load_file(folder / name).items()}


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    return tiny_transformers.make("t5", tmp_path / "t5", dropout_rate=0.0)


@pytest.mark.soak
def test_two_processes_with_a_part_each_train_as_one_does(models: Path, tmp_path: Path) -> None:
    """Stopped within an update, and while the tune set is scored, it ends bit for bit as one left alone."""
    data, never = twenty(tmp_path / "data"), 10_000
    for name, stops in (("whole", [never]), ("parts", [4, 9, never])):
        (tmp_path / name).mkdir()
        for stop in stops:
            together(tmp_path / name, stop)
    whole, parts = kept(tmp_path / "whole"), kept(tmp_path / "parts")
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)
    kind, alone = TRANSFERS["t5"], Callbacks(tmp_path / "alone", 5)
    kind.fit(data, validate_options(kind.Options, TRAINED), alone)
    own = kept(tmp_path / "alone")
    assert own.keys() == whole.keys()
    for name, tensor in own.items():
        torch.testing.assert_close(whole[name], tensor, rtol=1e-3, atol=1e-5, msg=name)
    written = kind.load(tmp_path / "whole" / "best").transfer(["the cardiac arrest ."], data.direction, kind.Decoding())
    assert len(list(written)) == 1


@pytest.mark.parametrize("given", [{"tune_by": "bleu"}, {"learn_from": "preferences"}, {"learn_from": "rewards"}])
def test_a_model_in_parts_learns_references_by_their_loss(given: dict[str, str]) -> None:
    with pytest.raises(UserError, match="sharded: A model in parts learns references"):
        validate_options(PretrainedOptions, {"folder": "t5", "sharded": True, **given})
