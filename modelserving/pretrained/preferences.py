"""Training on preferences, pairs of rewrites of which people preferred one: DPO (Rafailov et al. 2023).

The loss is that of equation 7 there, https://arxiv.org/abs/2305.18290. The log-probabilities of the reference model,
the model that the training starts from, are computed once. Dropout is off, as it is in the reference's.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, logsigmoid

from foundation.errors import UserError
from modelserving.pretrained.options import IPO, PreferringOptions
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.pretrained.trainer import Bridge, Bridged, train
from modelserving.run_context import RunContext, batchwise
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import Preferences, TrainingData
from modelserving.training.network import autocast
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenized_dataset import TokenizedDataset, TokenizedDatasetWriter
from modelserving.training.validation import SAMPLES, Sampled, Validation

TRAIN, DEV = "preferences", "dev-preferences"
PARTS = ("prompt", "better", "worse")
WHOLE, MARGINS, REFERENCE = "whole", "margins.npy", "reference.safetensors"
CURVE, SCORE, ACCURACY, MARGIN = "loss a pair", "preference_loss", "preference_accuracy", "reward_margin"
PAIRS = 8  # of which log-probabilities are computed at a time
Encode = Callable[[str, str], tuple[Sequence[int], Sequence[int]] | None]
"""The ids of a source and of a rewrite; None for a pair that is too long."""
Collate = Callable[[Sequence[tuple[Any, Any]]], Inputs]
Prepare = Callable[[Inputs], dict[str, Any]]
"""A network's inputs of a batch: those that it takes, with labels of its outputs."""


class PreferenceRow(NamedTuple):
    """The ids of a source and of both rewrites; the pair's margin, and the reference's log-probabilities (2,)."""

    prompt: Any
    better: Any
    worse: Any
    margin: float
    reference: Any


class PreferenceRows:
    """Pairs of ids; only the rows asked for are read from disk. `reference` is (n, 2)."""

    def __init__(self, folder: Path) -> None:
        self.parts = [TokenizedDataset(folder / part) for part in PARTS]
        self.margins = np.load(folder / MARGINS)
        self.reference = torch.zeros(len(self.margins), 2)

    def __len__(self) -> int:
        return len(self.margins)

    def __getitem__(self, place: int) -> PreferenceRow:
        prompt, better, worse = (part[place] for part in self.parts)
        return PreferenceRow(prompt, better, worse, float(self.margins[place]), self.reference[place])

    @property
    def keys(self) -> "NDArray[np.int64]":
        """Tokens of the source with the longer rewrite, (n,)."""
        prompt, better, worse = (part.lengths.astype(np.int64) for part in self.parts)
        return prompt + np.maximum(better, worse)


def write_rows(folder: Path, pairs: Preferences, encode: Encode) -> tuple[int, int]:
    """Write the pairs as ids, once; the number of those left out: too long, and alike once they are cut."""
    long = alike = 0
    folder.mkdir(parents=True, exist_ok=True)
    margins: list[float] = []
    prompts, betters, worses = (TokenizedDatasetWriter(folder / part) for part in PARTS)
    with prompts, betters, worses:
        for source, better, worse, margin in zip(pairs.sources, pairs.better, pairs.worse, pairs.margins, strict=True):
            first, second = encode(source, better), encode(source, worse)
            if first is None or second is None:
                long += 1
            elif list(first[1]) == list(second[1]):
                alike += 1
            else:
                for writer, ids in zip((prompts, betters, worses), (*first, second[1]), strict=True):
                    writer.add(ids)
                margins.append(margin)
    np.save(folder / MARGINS, np.array(margins, dtype=np.float64))
    return long, alike


class PreferenceCollator:
    """Makes batches of pairs by a collator of texts.

    The texts' tensors are (n, 2, ...), the better one first; the labels of the texts are `targets`. `labels` (n, 1) are
    of the pairs: a pair does not count where it is -100.
    """

    def __init__(self, collate: Collate) -> None:
        self.collate = collate

    def __call__(self, rows: Sequence[PreferenceRow]) -> Inputs:
        texts = self.collate([(row.prompt, ids) for row in rows for ids in (row.better, row.worse)])
        inputs = {name: value.view(len(rows), 2, *value.shape[1:]) for name, value in texts.items()}
        return {
            **inputs,
            "targets": inputs["labels"],
            "labels": torch.zeros(len(rows), 1, dtype=torch.long),
            "reference": torch.stack([row.reference for row in rows]),
            "margins": torch.tensor([row.margin for row in rows]),
        }


def log_probabilities(net: Any, inputs: Inputs, prepare: Prepare, device: str, precision: str) -> tuple[Tensor, Tensor]:
    """The log-probability of each text of a batch of pairs (n, 2), and its tokens (n, 2)."""
    pairs = len(inputs["targets"])
    apart = {"targets", "labels", "reference", "margins"}
    texts = {name: value.flatten(0, 1) for name, value in inputs.items() if name not in apart}
    found, counted = token_log_probabilities(
        net, prepare({**texts, "labels": inputs["targets"].flatten(0, 1)}), device, precision
    )
    return found.sum(1).view(pairs, 2), counted.sum(1).view(pairs, 2)


def token_log_probabilities(net: Any, inputs: dict[str, Any], device: str, precision: str) -> tuple[Tensor, Tensor]:
    """The log-probability of each label (n, T), 0 where it is -100, and whether it is another (n, T)."""
    labels = inputs.pop("labels")
    with autocast(device, precision):
        logits = net(**inputs, use_cache=False).logits
    nats = cross_entropy(logits.float().transpose(1, 2), labels, ignore_index=IGNORED, reduction="none")
    return -nats, labels != IGNORED


def preference_losses(
    policy: Tensor, reference: Tensor, lengths: Tensor, margins: Tensor, options: PreferringOptions
) -> tuple[Tensor, Tensor]:
    """The loss of each pair (n,), and the implicit rewards of its texts (n, 2): beta times the log-ratio.

    The sigmoid's loss is equation 7 of Rafailov et al. (2023), less `offset` times the margin (Amini et al. 2024,
    https://arxiv.org/abs/2402.10571), with `smoothing` as the share of pairs that people may have confused (Mitchell
    2023, https://ericmitchell.ai/cdpo.pdf). IPO's is equation 17 of Azar et al. (2024, https://arxiv.org/abs/2310.12036)
    of the mean over tokens, as its authors and trl compute it.

    Args:
        policy: Log-probabilities of the better and the worse text, (n, 2).
        reference: Those of the model that the training starts from.
        lengths: The tokens of each text, (n, 2).
        margins: Of the pairs, (n,).
        options: Of these the loss, `beta`, `offset` and `smoothing`.
    """
    ratios = policy - reference
    rewards = options.beta * ratios
    if options.preference_loss == IPO:
        better, worse = (ratios / lengths.clamp(min=1)).unbind(1)
        return (better - worse - 1 / (2 * options.beta)) ** 2, rewards
    ahead = rewards[:, 0] - rewards[:, 1] - options.offset * margins
    return -(1 - options.smoothing) * logsigmoid(ahead) - options.smoothing * logsigmoid(-ahead), rewards


class Preferring(Bridged):
    """Trainer, bridged, over pairs; the loss of an update is divided by its pairs."""

    def prepare(self, inputs: Inputs) -> dict[str, Any]:
        return inputs

    def compute_loss(
        self, model: Any, inputs: Inputs, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        counts = inputs["labels"][:, 0] != IGNORED
        options = self.bridge.options
        assert isinstance(options, PreferringOptions)
        policy, lengths = log_probabilities(model, inputs, self.prepare, str(self.bridge.device), options.precision)
        losses, _ = preference_losses(policy, inputs["reference"], lengths, inputs["margins"], options)
        total = (losses * counts).sum()
        self.bridge.note(total.detach(), int(counts.sum()))
        return total / num_items_in_batch * self.bridge.group.size  # gradients are averaged over processes


class PreferenceData(NamedTuple):
    """The pairs to train on and the held-out ones, with the reference's log-probabilities and the file of these."""

    train: PreferenceRows
    dev: PreferenceRows
    file: Path


def preference_data(
    data: TrainingData, callbacks: Callbacks, group: ProcessGroup, model: Any, encode: Encode, collate: Collate,
    prepare: Prepare,
) -> PreferenceData:  # fmt: skip
    """Cut the pairs, and have the model score them as the reference, or read its scores if the training began before.

    A UserError where no pair is left.
    """
    folder = callbacks.folder / "ids"
    if group.first and not (folder / WHOLE).exists():
        _write(folder, data, callbacks, encode)
    group.wait()
    train, dev = PreferenceRows(folder / TRAIN), PreferenceRows(folder / DEV)
    file, draft, last = folder / REFERENCE, folder / f".{REFERENCE}", callbacks.kept("last")
    if group.first and not file.exists():
        if last:
            shutil.copyfile(last / REFERENCE, file)
        else:
            context = callbacks.run_context(lambda: callbacks.at(0, 0))
            scored = [
                reference_scores(model.net, rows, collate, prepare, model.options.precision, context)
                for rows in (train, dev)
            ]
            weights.write(draft, dict(zip((TRAIN, DEV), scored, strict=True)))
            draft.rename(file)
    group.wait()
    found = weights.read(file)
    train.reference, dev.reference = found[TRAIN], found[DEV]
    return PreferenceData(train, dev, file)


def _write(folder: Path, data: TrainingData, callbacks: Callbacks, encode: Encode) -> None:
    long, alike = write_rows(folder / TRAIN, data.preferences, encode)
    left = len(data.preferences) - long - alike
    if not left:
        raise UserError("There is no pair of preferences to train on: each has a text that is too long, or two texts "
                        "that are alike once they are cut.", where="learn_from")  # fmt: skip
    write_rows(folder / DEV, data.dev_preferences, encode)
    callbacks.say(f"{left:,} pairs of preferences; {long:,} left out that are too long, {alike:,} whose texts are "
                  "alike once they are cut.")  # fmt: skip
    (folder / WHOLE).touch()


@torch.inference_mode()
def reference_scores(
    net: Any, rows: PreferenceRows, collate: Collate, prepare: Prepare, precision: str, context: RunContext
) -> Tensor:
    """The log-probabilities of the rewrites of all pairs, (n, 2)."""
    net.eval()
    found = _in_batches(net, rows, collate, prepare, precision, context)
    return torch.stack([scores for scores, _ in found]) if found else torch.zeros(0, 2)


def _in_batches(
    net: Any, rows: PreferenceRows, collate: Collate, prepare: Prepare, precision: str, context: RunContext
) -> list[tuple[Tensor, Tensor]]:
    device, make = str(net.device), PreferenceCollator(collate)

    def scored(places: list[int]) -> list[tuple[Tensor, Tensor]]:
        inputs = {name: value.to(device) for name, value in make([rows[place] for place in places]).items()}
        scores, lengths = log_probabilities(net, inputs, prepare, device, precision)
        return list(zip(scores.cpu(), lengths.cpu(), strict=True))

    batches = (list(range(start, min(start + PAIRS, len(rows)))) for start in range(0, len(rows), PAIRS))
    return list(batchwise(scored, batches, _too_long, context))


def _too_long(place: object) -> UserError:
    return UserError("The GPU's memory does not do for a single pair of texts: cut texts shorter, or choose a smaller "
                     "model.", where="folder")  # fmt: skip


def without_dropout(net: nn.Module) -> None:
    """Take dropout out of a network, while it is trained too: in its modules, and where a layer has it as a number."""
    for module in net.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for name in ("dropout", "attention_dropout", "activation_dropout"):
            if isinstance(getattr(module, name, None), float):
                setattr(module, name, 0.0)


def held_out_score(
    model: Any, data: TrainingData, rows: PreferenceRows, collate: Collate, prepare: Prepare, decoding: Any,
    by_metric: Validation | None,
) -> Validation | None:  # fmt: skip
    """The score of the held-out pairs: their mean loss, or a metric of outputs; with their accuracy and margin beside.

    None where there are none, and no metric.
    """
    if not len(rows):
        return by_metric
    found: dict[str, float] = {}

    @torch.inference_mode()
    def judge(context: RunContext) -> float:
        model.net.eval()
        pairs = _in_batches(model.net, rows, collate, prepare, model.options.precision, context)
        policy, lengths = (torch.stack(column) for column in zip(*pairs, strict=True))
        losses, rewards = preference_losses(policy, rows.reference, lengths, torch.tensor(rows.margins), model.options)
        ahead = rewards[:, 0] - rewards[:, 1]
        right = (ahead > 0).double() + 0.5 * (ahead == 0).double()
        found.update({ACCURACY: float(right.mean()), MARGIN: float(ahead.mean())})
        return float(losses.mean())

    def watch(context: RunContext) -> dict[str, float]:
        if by_metric:
            judge(context)
        return found

    if by_metric:
        return replace(by_metric, watch=watch)

    def score(context: RunContext) -> Sampled:
        value, pairs = judge(context), data.dev_preferences
        sources = list(dict.fromkeys(pairs.sources))[:SAMPLES]
        outputs = model.within(context).transfer(sources, data.direction, decoding)
        preferred = dict(zip(reversed(list(pairs.sources)), reversed(list(pairs.better)), strict=True))
        return value, [Sample(one, output, preferred[one]) for one, output in zip(sources, outputs, strict=True)]

    return Validation(SCORE, score, higher_is_better=False, watch=watch)


def train_on_preferences(
    kind: type[Preferring], model: Any, data: TrainingData, callbacks: Callbacks, group: ProcessGroup, encode: Encode,
    collate: Collate, prepare: Prepare, decoding: Any, by_metric: Validation | None,
) -> None:  # fmt: skip
    """Train a model, in its first or its last kept state, on the preferences of `data`; it ends with its last weights.

    `kind` is a class of `Preferring` and of one of transformers' Trainers. `model` has `net`, `options` and `save`. The
    callbacks tell and keep. The processes of `group` train together.

    Args:
        encode: Cuts a source and a rewrite.
        collate: Makes a batch of such rows.
        prepare: Makes the network's inputs of a batch.
        decoding: How samples are written.
        by_metric: The tune score by a metric; None for the loss of held-out pairs.

    Raises:
        Stopped: Somebody asked it to stop; its state is kept.
        UserError: No pair is left, the loss is no longer a number, or memory does not suffice.
    """
    without_dropout(model.net)
    pairs = preference_data(data, callbacks, group, model, encode, collate, prepare)
    score = held_out_score(model, data, pairs.dev, collate, prepare, decoding, by_metric)
    bridge = Bridge(model.options, callbacks, model.save, score, group, curve=CURVE, beside=pairs.file)
    train(kind, model.net, pairs.train, PreferenceCollator(collate), bridge)
