"""Training on rewards: GRPO (Shao et al. 2024, DeepSeekMath, section 4.1, https://arxiv.org/abs/2402.03300).

A model writes several texts for each source; metrics score them; those above the mean of their group become likelier.
Each rewrite serves one update, so that the ratio to the model that wrote it is 1 and nothing is clipped. The loss is
summed over all tokens of an update and divided by their number (Yu et al. 2025, DAPO, https://arxiv.org/abs/2503.14476),
as trl does by default. Dropout is off. Texts are drawn by the seed, the update and the source.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from modelserving.pretrained.options import GenerationOptions, PreferringOptions
from modelserving.pretrained.preferences import REFERENCE, Collate, Prepare, token_log_probabilities, without_dropout
from modelserving.pretrained.rewards import Judge, advantages, source_texts, tune_texts, wins
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.pretrained.trainer import Bridge, Bridged, train
from modelserving.pretrained.writing import Draw
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.gradients import seed_of
from modelserving.training.process_group import ProcessGroup
from modelserving.training.validation import SAMPLES, Sampled, Validation

CURVE, SCORE, REWARD, HELD_OUT = "distance a token", "reward_wins", "reward: {}", "held-out reward: {}"


@dataclass(frozen=True)
class Writer:
    """The way in which a model writes in a training.

    `encode` gives the ids of a source, `write` the ids of a rewrite for each such row, up to its end, and `text` their
    text. `decoding` is greedy search.
    """

    encode: Callable[[str], list[int]]
    write: Callable[[Sequence[Sequence[int]], Any, RunContext], list[list[int]]]
    text: Callable[[Sequence[int]], str]
    collate: Collate
    prepare: Prepare
    decoding: GenerationOptions

    def greedy(self, sources: Sequence[str], context: RunContext) -> list[str]:
        """One rewrite of each source."""
        return [self.text(ids) for ids in self.write([self.encode(one) for one in sources], self.decoding, context)]


class SourceRows:
    """Sources by their places."""

    def __init__(self, sources: Sequence[str], encode: Callable[[str], list[int]]) -> None:
        self.sources, self.encode = sources, encode

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, place: int) -> int:
        return place

    @cached_property
    def keys(self) -> "NDArray[np.int64]":
        """Tokens of each, (n,)."""
        return np.array([len(self.encode(one)) for one in self.sources], dtype=np.int64)


def source_batch(places: Sequence[int]) -> Inputs:
    """The places of a batch of sources, (n,); no loss is taken before something is written for them."""
    return {"places": torch.tensor(places), "labels": torch.zeros(len(places), 1, dtype=torch.long)}


class Rewarding(Bridged):
    """Trainer, bridged, over sources: before each update the model writes for them, and advantages are worked out."""

    writer: Writer
    judge: Judge
    began: Mapping[str, Tensor]

    def get_batch_samples(self, epoch_iterator: Any, num_batches: int, device: Any) -> tuple[list[Inputs], Any]:
        """The next sources of an update with their rewrites, and the number of all their tokens."""
        batches, _ = super().get_batch_samples(epoch_iterator, num_batches, device)  # type: ignore[misc]
        self.model.eval()
        sums = np.zeros(1 + len(self.judge.rewards))
        made = [self._rewritten(batch, number, sums) for number, batch in enumerate(batches)]
        count, *totals = self.bridge.group.sum([float(one) for one in sums], self.bridge.device)
        step = self.state.global_step + 1
        for reward, total in zip(self.judge.rewards, totals, strict=True):
            if self.bridge.group.first and count:
                self.bridge.callbacks.point(REWARD.format(reward.metric.name), step, total / count)
        return made, self._get_num_items_in_batch(made, device)

    def _rewritten(self, batch: Inputs, number: int, sums: "NDArray[np.float64]") -> Inputs:
        """The batch of rewrites; their number is added to the `sums`, and behind it their scores as the metrics say."""
        options, callbacks, step = self.bridge.options, self.bridge.callbacks, self.state.global_step
        assert isinstance(options, PreferringOptions)
        counts = bool((batch["labels"] >= 0).all())
        sources = [self.rows.sources[int(place)] for place in batch["places"]]  # type: ignore[attr-defined]
        rows = [Draw(ids, draw) for ids in map(self.writer.encode, sources) for draw in range(options.rewrites)]
        drawn = replace(self.writer.decoding, sample=True, seed=seed_of(callbacks.seed, "rewrites", step, number))
        alone = self.bridge.group.size == 1  # several stop together, between updates
        context = callbacks.run_context(lambda: callbacks.at(step, self.state.max_steps)) if alone else RunContext()
        written = self.writer.write(rows, drawn, context)
        each = [source for source in sources for _ in range(options.rewrites)]
        scores = self.judge.scores(each, [self.writer.text(ids) for ids in written])
        made = self.writer.collate(list(zip(rows, written, strict=True)))
        grouped = scores.reshape(len(sources), options.rewrites, -1)
        made["advantages"] = torch.tensor(advantages(grouped, self.judge.weights).ravel(), dtype=torch.float32)
        if counts:
            whole = ~np.isnan(scores).any(axis=1)
            signs = [1 if one.metric.higher_is_better else -1 for one in self.judge.rewards]
            sums += [whole.sum(), *(scores[whole] * signs).sum(axis=0)]
        else:
            made["labels"].fill_(IGNORED)
        return {name: one.to(self.bridge.device) for name, one in made.items()}

    def compute_loss(
        self, model: Any, inputs: Inputs, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        options = self.bridge.options
        assert isinstance(options, PreferringOptions)
        reward = inputs.pop("advantages")
        device, prepare = str(self.bridge.device), self.writer.prepare
        with torch.no_grad(), as_it_began(self.model, self.began):
            before, _ = token_log_probabilities(self.model, prepare({**inputs}), device, options.precision)
        now, counts = token_log_probabilities(model, prepare({**inputs}), device, options.precision)
        losses, apart = token_losses(now, before, reward, options.beta)
        self.bridge.note((apart * counts).sum().detach(), int(counts.sum()))
        return (losses * counts).sum() / num_items_in_batch * self.bridge.group.size  # gradients are averaged


def token_losses(policy: Tensor, reference: Tensor, reward: Tensor, beta: float) -> tuple[Tensor, Tensor]:
    """The loss of each token (n, T), and how far it is from the reference (n, T), in nats.

    The loss is minus the advantage, with minus the gradient of the log-probability times it, and `beta` times the
    estimate of the Kullback-Leibler divergence (equations 3 and 4 of Shao et al. 2024).

    Args:
        policy: Log-probabilities of the tokens, (n, T).
        reference: Those of the model that the training starts from.
        reward: The advantage of each text, (n,).
        beta: The weight of the divergence.
    """
    behind = reference - policy
    apart = behind.exp() - behind - 1
    return -(policy - policy.detach()).exp() * reward[:, None] + beta * apart, apart


@contextmanager
def as_it_began(net: nn.Module, began: Mapping[str, Tensor]) -> Iterator[None]:
    """The network with the weights that it began with inside the block, where no gradient is taken."""
    trained = [(one, began[name]) for name, one in net.named_parameters() if one.requires_grad]
    own = [one.data for one, _ in trained]
    for one, first in trained:
        one.data = first
    try:
        yield
    finally:
        for (one, _), last in zip(trained, own, strict=True):
            one.data = last


def _beginning(model: Any, callbacks: Callbacks, group: ProcessGroup) -> tuple[dict[str, Tensor], Path]:
    """The weights that the training began with, and their file."""
    file, draft = callbacks.folder / "ids" / REFERENCE, callbacks.folder / "ids" / f".{REFERENCE}"
    if group.first and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        if last := callbacks.kept("last"):
            shutil.copyfile(last / REFERENCE, draft)
        else:
            weights.write(draft, {name: one for name, one in model.net.named_parameters() if one.requires_grad})
        draft.rename(file)
    group.wait()
    return {name: one.to(model.net.device) for name, one in weights.read(file).items()}, file


def held_out_score(
    model: Any, data: TrainingData, judge: Judge, writer: Writer, began: Mapping[str, Tensor]
) -> Validation | None:
    """How often rewrites of the tune set's sources are better than those of the model at the start; None without any.

    Ties count half, each metric by its weight. The mean of each metric is watched.
    """
    sources = tune_texts(data, model.options.tune_most)
    if not sources:
        return None
    found: dict[str, float] = {}

    def score(context: RunContext) -> Sampled:
        model.net.eval()
        with as_it_began(model.net, began):
            first = writer.greedy(sources, context)
        outputs = writer.greedy(sources, context)
        before, now = judge.scores(sources, first), judge.scores(sources, outputs)
        for column, (metric, _, _) in enumerate(judge.rewards):
            scores = now[:, column][~np.isnan(now[:, column])]
            if len(scores):
                sign = 1 if metric.higher_is_better else -1
                found[HELD_OUT.format(metric.name)] = sign * float(scores.mean())
        samples = [Sample(*row) for row in list(zip(sources, outputs, first, strict=True))[:SAMPLES]]
        return wins(now, before, judge.weights), samples

    return Validation(SCORE, score, watch=lambda context: found)


def train_on_rewards(
    kind: type[Rewarding], model: Any, data: TrainingData, callbacks: Callbacks, group: ProcessGroup, writer: Writer,
    by_metric: Validation | None,
) -> None:  # fmt: skip
    """Train a model, in its first or its last kept state, on its rewards; it ends with its last weights.

    `kind` is a class of `Rewarding` and of one of transformers' Trainers. `model` has `net`, `options` and `save`. The
    callbacks tell and keep. The processes of `group` train together. `by_metric` is the tune score by a metric of
    references; None for that of held-out sources.

    Raises:
        Stopped: Somebody asked it to stop; its state is kept.
        UserError: A metric is not defined here, the loss is no longer a number, or memory does not suffice.
    """
    without_dropout(model.net)
    judge = Judge(model.options.rewards, data)
    began, file = _beginning(model, callbacks, group)
    if not callbacks.kept("last"):
        for signature in judge.signatures():
            callbacks.say(f"Rewarded: {signature}")
    score = by_metric or held_out_score(model, data, judge, writer, began)
    bridge = Bridge(model.options, callbacks, model.save, score, group, curve=CURVE, beside=file)
    rows = SourceRows(source_texts(data), writer.encode)
    rewarded = type(kind.__name__, (kind,), {"writer": writer, "judge": judge, "began": began})
    train(rewarded, model.net, rows, source_batch, bridge)
