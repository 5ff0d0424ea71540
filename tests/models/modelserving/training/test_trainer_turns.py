"""The trainer with adversaries in turns: stopped anywhere, out of memory, and with numbers that are not finite."""

import json
import math
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from support.adversaries import Adversaries, Hungry, Saved, made_batches
from support.processes import free_port

from foundation.errors import UserError
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.batches import Batch
from modelserving.training.callbacks import Callbacks, Sample, Stopped
from modelserving.training.network import Loss
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer
from modelserving.training.validation import Validation

GIVEN: dict[str, Any] = {
    "epochs": 4, "rate": 0.02, "accumulate": 2, "tune_every": 3, "average": 2, "patience": 0, "smoothing": 0.1,
    "keep_every": 1000,
}  # fmt: skip


class Told(Callbacks):
    def __init__(self, folder: Path, stop: int = -1) -> None:
        super().__init__(folder, seed=7)
        self.stop = stop
        self.said: list[str] = []
        self.points: list[tuple[str, int, float]] = []

    def at(self, done: int, total: int) -> None:
        if 0 <= self.stop <= done:
            raise Stopped

    def say(self, line: str) -> None:
        self.said.append(line)

    def point(self, curve: str, step: int, value: float) -> None:
        if curve != "tokens a second":
            self.points.append((curve, step, value))


def trainer(callbacks: Callbacks, net: Adversaries | None = None, size: int = 3, **changes: Any) -> Trainer:
    net = net or Adversaries()
    torch.manual_seed(1)
    net.load_state_dict(Adversaries().state_dict())
    batches = made_batches(callbacks.folder / "ids", size)
    held = made_batches(callbacks.folder / "tune", 20, seed=1).batch(range(12))  # type: ignore[arg-type]

    def score(context: RunContext) -> tuple[float, list[Sample]]:
        context.step()
        with torch.no_grad():
            loss = net.losses(held)[0]
        return float(loss.total) / loss.count, []

    recipe = TrainingRecipe(**(GIVEN | changes))
    return Trainer(net, batches, recipe, callbacks, Saved(net), Validation("cost", score, higher_is_better=False))


def files(folder: Path) -> dict[str, Any]:
    """All that is kept, read."""
    return {
        path.name: load_file(path) if path.suffix == ".safetensors" else json.loads(path.read_text())
        for path in folder.iterdir()
    }


def equal(one: dict[str, Any], two: dict[str, Any]) -> None:
    assert sorted(one) == sorted(two)
    for name, content in one.items():
        if name.endswith(".json"):
            assert content == two[name]
        else:
            assert all(torch.equal(tensor, two[name][key]) for key, tensor in content.items()), name


def test_the_rate_decays_on_plateaus_as_pytorchs_also_after_a_stop(tmp_path: Path) -> None:
    """ReduceLROnPlateau, told the same tune scores, beside the decays that are kept; its patience counts one less."""
    given = {"schedule": "plateau", "rate_decay": 0.5, "decay_after": 2, "rate": 2.0, "epochs": 12, "average": 0}
    whole = Told(tmp_path / "whole")
    trainer(whole, **given).run()
    optimizer = torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    torchs = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, threshold=0.0)
    for curve, _, value in whole.points:
        if curve == "cost":
            torchs.step(value)
    decays = files(tmp_path / "whole" / "last")["position.json"]["decays"]
    assert decays > 1
    assert optimizer.param_groups[0]["lr"] == 0.5**decays
    with pytest.raises(Stopped):
        trainer(Told(tmp_path / "run", 30), **given).run()
    trainer(Told(tmp_path / "run"), **given).run()
    equal(files(tmp_path / "run" / "last"), files(tmp_path / "whole" / "last"))


@pytest.mark.parametrize("stop", [1, 4, 7, 9, 15, 22])
def test_stopped_anywhere_and_resumed_it_keeps_the_same_files_to_the_bit(tmp_path: Path, stop: int) -> None:
    whole = Told(tmp_path / "whole")
    trainer(whole).run()
    with pytest.raises(Stopped):
        trainer(Told(tmp_path / "run", stop)).run()
    resumed = Told(tmp_path / "run")
    trainer(resumed).run()
    for kept in ("best", "last"):
        equal(files(tmp_path / "run" / kept), files(tmp_path / "whole" / kept))
    assert resumed.points == whole.points[-len(resumed.points) :]
    assert set(files(tmp_path / "whole" / "last")) == {
        "weights.safetensors", "optimizer.safetensors", "optimizer-discriminator.safetensors",
        "average-1.safetensors", "average-2.safetensors", "position.json",
    }  # fmt: skip


class Annealed(Adversaries):
    """Its adversary counts from the fourth epoch on, and ever more."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[int, int]] = []

    @property
    def annealing(self) -> bool:
        return self.epochs < 3

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        self.heard.append((self.epochs, self.updates))
        own, *adversarial = super().turn_losses(turn, batch)
        weighted = [replace(one, weight=0.01 * self.updates) for one in adversarial]
        return [own] if self.annealing else [own, *weighted]


def test_a_network_is_told_how_far_it_is_and_hears_the_same_after_a_stop(tmp_path: Path) -> None:
    net = Annealed()
    trainer(Told(tmp_path / "whole"), net).run()
    trained = [one for one in dict.fromkeys(net.heard) if one[0] < GIVEN["epochs"]]
    assert trained == [(update // 4, update) for update in range(16)], "7 batches an epoch, two an update"
    with pytest.raises(Stopped):
        trainer(Told(tmp_path / "run", 16), Annealed()).run()
    trainer(Told(tmp_path / "run"), Annealed()).run()
    for kept in ("best", "last"):
        equal(files(tmp_path / "run" / kept), files(tmp_path / "whole" / kept))


def test_patience_begins_when_all_losses_count(tmp_path: Path) -> None:
    """Scores of which none is better than the first, one an epoch."""
    ended = {}
    for kind in (Adversaries, Annealed):
        one = trainer(Told(tmp_path / kind.__name__), kind(), epochs=9, patience=2, tune_every=0)
        assert one.validator.validation is not None
        one.validator.validation = replace(one.validator.validation, score=lambda _: (1.0, []))
        one.run()
        ended[kind] = one.position.epoch
    assert ended == {Adversaries: 3, Annealed: 4}


def test_batches_that_are_made_ready_ahead_change_nothing(tmp_path: Path) -> None:
    whole, ahead = trainer(Told(tmp_path / "whole")), trainer(Told(tmp_path / "run"))
    ahead.ahead = 2
    assert whole.ahead == 0  # on a processor
    whole.run()
    ahead.run()
    for kept in ("best", "last"):
        equal(files(tmp_path / "run" / kept), files(tmp_path / "whole" / kept))
    assert not _loading()


@pytest.mark.parametrize("ahead", [0, 2])
def test_an_error_in_the_thread_and_a_stop_end_it(tmp_path: Path, ahead: int) -> None:
    broken = trainer(Told(tmp_path / "run"))
    broken.ahead = ahead
    rows = broken.batches.order(0)[5]
    take = broken.batches.batch
    broken.batches.batch = lambda these: 1 / 0 if len(these) > 1 else take(these)  # type: ignore[method-assign, assignment, return-value]
    broken.batches.order = lambda epoch: [*([rows[:1]] * 5), rows]  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        broken.run()
    assert broken.position.step == 4
    assert not _loading()
    stopped = trainer(Told(tmp_path / "other", stop=3))
    stopped.ahead = ahead
    with pytest.raises(Stopped):
        stopped.run()
    assert not _loading()


def _loading() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith("load-ahead")]


def test_each_adversary_has_its_optimizer_its_schedule_and_its_turns(tmp_path: Path) -> None:
    callbacks = Told(tmp_path / "run")
    made = trainer(callbacks)
    made.run()
    generator, discriminator = made.updates.optimizers
    assert made.position.updates == 16  # four an epoch, of seven batches
    steps = {float(state["step"]) for state in generator.optimizer.state.values()}
    assert steps == {16.0}
    assert isinstance(discriminator.optimizer, torch.optim.SGD)
    assert (generator.recipe.clip, discriminator.recipe.clip) == (5.0, 0.0)
    assert discriminator.optimizer.param_groups[0]["lr"] == 0.05
    assert generator.optimizer.param_groups[0]["lr"] == pytest.approx(0.02 / 13)  # 13 updates from the warmup's end
    assert {curve for curve, _, _ in callbacks.points} == {
        "loss", "adversarial loss", "discriminator loss", "drift", "cost", "cost of the mean",
    }  # fmt: skip


@pytest.mark.parametrize(("every", "turns"), [(1, 16), (2, 8), (3, 6)])
def test_a_turn_is_taken_in_one_of_every_so_many_updates(tmp_path: Path, every: int, turns: int) -> None:
    taken: list[str] = []

    class Counted(Adversaries):
        def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
            if self.training:
                taken.append(turn)
            return super().turn_losses(turn, batch)

    trainer(Told(tmp_path / "run"), Counted(every), accumulate=1, batch=3, epochs=2, average=0).run()
    assert len(taken) == 14 + -(-14 // every)
    taken.clear()
    trainer(Told(tmp_path / "other"), Counted(every), accumulate=7, epochs=16, average=0).run()
    assert taken.count("discriminator") == turns * 7


def test_a_turn_moves_its_own_parameters_alone(tmp_path: Path) -> None:
    net = Adversaries(every=1000)
    made = trainer(Told(tmp_path / "run"), net, epochs=1, average=0, accumulate=7)
    before = {name: one.clone() for name, one in weights.tensors_of(net).items()}
    made.run()
    moved = {name for name, one in weights.tensors_of(net).items() if not torch.equal(one, before[name])}
    assert {name.partition(".")[0] for name in moved} == {"embed", "generate", "discriminate"}
    made = trainer(Told(tmp_path / "other"), net, epochs=2, average=0, accumulate=7)
    made.position.updates = 1  # as if the discriminator had had its turn
    before = {name: one.clone() for name, one in weights.tensors_of(net).items()}
    made.run()
    moved = {name for name, one in weights.tensors_of(net).items() if not torch.equal(one, before[name])}
    assert {name.partition(".")[0] for name in moved} == {"embed", "generate"}


class Bad(Adversaries):
    """From a batch on, a turn's losses are not finite."""

    def __init__(self, turn: str, good: int, value: float) -> None:
        super().__init__(every=1)
        self.bad, self.left, self.value = turn, good, value

    def turn_losses(self, turn: str, batch: Batch) -> list[Loss]:
        found = super().turn_losses(turn, batch)
        if not self.training or turn != self.bad:
            return found
        self.left -= 1
        return found if self.left >= 0 else [Loss(one.total * self.value, one.count, one.name) for one in found]


def late(made: Trainer) -> Trainer:
    """The trainer, reading from the device as seldom as on a GPU."""
    made.settled_at_once = False
    return made


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "adadelta", "sgd"])
def test_read_seldom_or_at_once_it_keeps_the_same_files_and_tells_the_same(tmp_path: Path, optimizer: str) -> None:
    given = {"optimizer": optimizer, "tune_every": 7, "keep_every": 5}
    told = [Told(tmp_path / "once"), Told(tmp_path / "late")]
    trainer(told[0], **given).run()
    late(trainer(told[1], **given)).run()
    for kept in ("best", "last"):
        equal(files(tmp_path / "once" / kept), files(tmp_path / "late" / kept))
    assert told[0].points == told[1].points


def test_what_is_read_seldom_is_stopped_and_goes_on_to_the_same_files(tmp_path: Path) -> None:
    trainer(Told(tmp_path / "whole")).run()
    with pytest.raises(Stopped):
        late(trainer(Told(tmp_path / "run", 7))).run()
    late(trainer(Told(tmp_path / "run"))).run()
    for kept in ("best", "last"):
        equal(files(tmp_path / "run" / kept), files(tmp_path / "whole" / kept))


@pytest.mark.parametrize("optimizer", ["adam", "adadelta", "sgd"])
def test_read_seldom_it_still_keeps_nothing_behind_a_loss_that_is_not_finite(tmp_path: Path, optimizer: str) -> None:
    """Nine batches are learnt from before it is found, by a stop, a tune score, or a state to be kept."""
    given: dict[str, Any] = {"accumulate": 1, "average": 0, "optimizer": optimizer, "tune_every": 1000}
    with pytest.raises(Stopped):
        trainer(Told(tmp_path / "before", stop=5), Bad("", 100, math.nan), **given).run()
    found_by = {"stop": 14, "keep": -1, "tune": -1}
    for name, stop in found_by.items():
        every = {"keep_every": 15} if name == "keep" else {"tune_every": 15} if name == "tune" else {}
        with pytest.raises(UserError, match="not a finite number at batch 6"):
            late(trainer(Told(tmp_path / name, stop), Bad("", 5, math.nan), **(given | every))).run()
        equal(files(tmp_path / name / "last"), files(tmp_path / "before" / "last"))
        assert not (tmp_path / name / "best").exists()


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_it_stops_at_a_loss_that_is_not_finite_and_keeps_the_state_before(tmp_path: Path, value: float) -> None:
    given = {"accumulate": 1, "tune_every": 1000, "average": 0}
    with pytest.raises(UserError, match="not a finite number at batch 6"):
        trainer(Told(tmp_path / "run"), Bad("", 5, value), **given).run()
    with pytest.raises(Stopped):
        trainer(Told(tmp_path / "stopped", stop=5), Bad("", 100, value), **given).run()
    equal(files(tmp_path / "run" / "last"), files(tmp_path / "stopped" / "last"))


def test_where_another_turn_was_taken_already_the_state_that_was_kept_stays(tmp_path: Path) -> None:
    given = {"accumulate": 1, "tune_every": 1000, "average": 0, "keep_every": 4}
    with pytest.raises(UserError, match="not a finite number at batch 6"):
        trainer(Told(tmp_path / "run"), Bad("discriminator", 5, math.nan), **given).run()
    assert files(tmp_path / "run" / "last")["position.json"]["step"] == 4


def test_out_of_memory_is_said_once_and_ends_as_with_enough(tmp_path: Path) -> None:
    callbacks, nets = Told(tmp_path / "run"), [Hungry(), Adversaries()]
    for net, told in zip(nets, (callbacks, Told(tmp_path / "whole")), strict=True):
        net.dropout.p = 0.0
        trainer(told, net, size=10).run()
    assert sum("did not fit into memory" in line for line in callbacks.said) == 1
    for one, two in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-5)


TOGETHER = """
import sys
from pathlib import Path
import torch
from support.adversaries import Adversaries, Hungry, Saved, made_batches
from foundation.errors import UserError
from modelserving.training.callbacks import Callbacks
from modelserving.training.process_group import join_process_group
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer

folder, room = Path(sys.argv[1]), int(sys.argv[2])
torch.set_num_threads(1)
group = join_process_group("cpu")
net = Hungry(room=room if group.first else 100)
torch.manual_seed(1)
net.load_state_dict(Adversaries().state_dict())
net.dropout.p = 0.0
recipe = TrainingRecipe(epochs=4, rate=0.02, accumulate=2, smoothing=0.1, average=2, tune_every=3)
try:
    batches, callbacks = made_batches(folder / f"ids-{group.rank}", 7), Callbacks(folder / "run", 7)
    Trainer(net, batches, recipe, callbacks, Saved(net), None, group).run()
except UserError as error:
    (folder / f"refused-{group.rank}").write_text(str(error))
"""


def together(folder: Path, room: int) -> None:
    torchrun(TOGETHER, folder, str(room))


def torchrun(text: str, folder: Path, *given: str) -> None:
    """Run the script in two processes; an error of one is one of the test."""
    python(text, folder, *given, by=["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"])


def python(text: str, folder: Path, *given: str, by: Sequence[str] = ()) -> None:
    """Run the script; an error of its is one of the test."""
    script, root = folder / "together.py", Path(__file__).parents[4]
    script.write_text(text)
    paths = os.pathsep.join(str(root / part) for part in ("", "platform", "tests"))
    here = {**os.environ, "PYTHONPATH": paths, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    subprocess.run([sys.executable, *by, str(script), str(folder), *given], env=here, check=True, capture_output=True)


@pytest.mark.soak
def test_two_processes_take_turns_as_one_does_also_where_memory_fails_one_of_them(tmp_path: Path) -> None:
    for room in (100, 2):
        folder = tmp_path / str(room)
        folder.mkdir()
        together(folder, room)
        net = Adversaries()
        net.dropout.p = 0.0
        alone = trainer(Told(folder / "alone"), net, size=7, epochs=4)
        alone.validator.validation = None
        alone.run()
        for kept in ("last", "best"):
            found, expected = files(folder / "run" / kept), files(folder / "alone" / kept)
            for name, tensor in expected["weights.safetensors"].items():
                torch.testing.assert_close(found["weights.safetensors"][name], tensor, rtol=1e-4, atol=1e-5)


FAILING = """
import os
import sys
from multiprocessing import get_context
from pathlib import Path
import torch
from support.adversaries import Adversaries, Hungry, Saved, made_batches
from foundation import preemption
from foundation.errors import UserError
from modelserving.training.callbacks import Callbacks, Preempted
from modelserving.training.process_group import join_process_group
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import Trainer
from modelserving.training.validation import Validation

torch.set_num_threads(1)
adam = torch.optim.Adam.step

def no_memory(*given):
    raise torch.OutOfMemoryError

def end(group, folder, place, rank):
    here = group.rank == rank

    def score(context):
        if here and place == "score":
            raise UserError("A single text is too large.", where="tune_by")
        if here and place == "score memory":
            no_memory()
        if here and place == "score signal":
            preemption.ask()
        context.step()
        return 1.0, []

    torch.optim.Adam.step = no_memory if here and place == "step" else adam
    net = Hungry(room=0 if here and place == "losses" else 100)
    recipe = TrainingRecipe(epochs=4, rate=0.02, tune_every=3)
    try:
        batches, callbacks = made_batches(folder / f"ids-{group.rank}", 7), Callbacks(folder / "run", 7)
        Trainer(net, batches, recipe, callbacks, Saved(net), Validation("cost", score), group).run()
    except (UserError, Preempted) as error:
        (folder / f"ended-{group.rank}").write_text(f"{type(error).__name__} {error}")

def one_of_two(number):
    os.environ |= {"RANK": str(number), "WORLD_SIZE": "2"}
    group = join_process_group("cpu")
    for at, case in enumerate(sys.argv[2:]):
        folder = Path(sys.argv[1]) / str(at)
        folder.mkdir(exist_ok=True)
        end(group, folder, *eval(case))

both = [get_context("fork").Process(target=one_of_two, args=[number]) for number in (0, 1)]  # PyTorch is loaded once
for one in both:
    one.start()
for one in both:
    one.join()
sys.exit(any(one.exitcode for one in both))
"""
ENDS = [
    ("losses", 0, r"UserError train: A single text of \d tokens does not fit into the memory of cpu"),
    ("losses", 1, r"UserError train: A single text of \d tokens does not fit into the memory of cpu"),
    ("step", 0, "UserError train: The memory of cpu is too small for the network with its gradients"),
    ("step", 1, "UserError train: The memory of cpu is too small for the network with its gradients"),
    ("score", 0, "UserError tune_by: A single text is too large"),
    ("score memory", 0, "UserError train: The memory of cpu is too small"),
    ("score signal", 0, "Preempted"),  # the last, since a process is asked once
]


@pytest.mark.slow
def test_what_ends_one_process_ends_both_with_the_same_sentence(tmp_path: Path) -> None:
    """They are real processes with gloo between them: one that waited for the other would wait for ever."""
    python(FAILING, tmp_path, *(repr((place, rank)) for place, rank, _ in ENDS))
    for number, (place, rank, sentence) in enumerate(ENDS):
        folder = tmp_path / str(number)
        ended = [(folder / f"ended-{number}").read_text() for number in (0, 1)]
        assert re.match(sentence, ended[0]), (place, rank)
        assert ended[0] == ended[1], (place, rank)
        assert (folder / "run" / "last").exists() == (place == "score signal"), (place, rank)
