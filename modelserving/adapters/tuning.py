"""Training an adapter: transformers' Trainer over chats, the loss on answers alone, and how the tune set is scored."""

import inspect
from collections.abc import Sequence
from functools import partial
from typing import Any

from torch import Tensor
from transformers import Trainer

from modelserving.adapters.chat import prompt_ids, prompt_of
from modelserving.adapters.model import LoraModel
from modelserving.adapters.options import ChatGenerationOptions, LoraOptions
from modelserving.adapters.writing import ChatCollator, cut_pair, write_answers
from modelserving.pretrained import tune_scores
from modelserving.pretrained.grpo import Rewarding, Writer, train_on_rewards
from modelserving.pretrained.preferences import Preferring, train_on_preferences
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.pretrained.trainer import Bridged
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.process_group import ProcessGroup
from modelserving.training.validation import Validation

TEXTS = 8  # of which a loss is worked out at a time


class CausalTrainer(Bridged, Trainer):  # type: ignore[misc]
    """Trainer, bridged, of a model that reads and writes in one line."""

    def compute_loss(
        self, model: Any, inputs: Inputs, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The loss of the last outputs alone, as many as the longest answer has ids: a vocabulary is wide."""
        return super().compute_loss(model, answers_only(self.model, inputs), return_outputs, num_items_in_batch)


class CausalPreferenceTrainer(Preferring, Trainer):  # type: ignore[misc]
    """Trainer over pairs that people judged, bridged."""

    def prepare(self, inputs: Inputs) -> dict[str, Any]:
        return answers_only(self.model, inputs)


def prefer(
    model: LoraModel, data: TrainingData, callbacks: Callbacks, group: ProcessGroup, by_metric: Validation | None
) -> None:
    """Train the adapter on the preferences of the data; arguments and errors are those of `train_on_preferences`."""
    options = model.options
    prompt, longest = prompt_of(options.prompt, data.direction), options.longest
    encode = partial(cut_pair, model.chat, prompt, longest=min(longest, model.folder.positions or longest))
    decoding = ChatGenerationOptions(beam=1, longest=longest, precision=options.precision)
    train_on_preferences(
        CausalPreferenceTrainer, model, data, callbacks, group, encode, ChatCollator(model.chat.pad),
        partial(answers_only, model.net), decoding, by_metric,
    )  # fmt: skip


class CausalRewardTrainer(Rewarding, Trainer):  # type: ignore[misc]
    """Trainer over what metrics reward, bridged."""


def reward(
    model: LoraModel, data: TrainingData, callbacks: Callbacks, group: ProcessGroup, by_metric: Validation | None
) -> None:
    """Train the adapter on its rewards; arguments and errors are those of `train_on_rewards`."""
    options, chat = model.options, model.chat
    prompt, longest = prompt_of(options.prompt, data.direction), model.room(options.rewrite_tokens)

    def encode(source: str) -> list[int]:
        return prompt_ids(chat, prompt, source, model.read(longest))

    def written(rows: Sequence[Sequence[int]], decoding: Any, context: RunContext) -> list[list[int]]:
        found = write_answers(model.net, chat, rows, decoding, longest, context)
        return [ids[: chat.length(ids)] for ids in found]

    greedy = ChatGenerationOptions(beam=1, longest=longest, precision=options.precision)
    prepare = partial(answers_only, model.net)
    writer = Writer(encode, written, model.answer_text, ChatCollator(chat.pad), prepare, greedy)
    train_on_rewards(CausalRewardTrainer, model, data, callbacks, group, writer, by_metric)


def answers_only(net: Any, inputs: Inputs) -> dict[str, Any]:
    """The model's inputs, so that its outputs are those that the labels (n, Ta) belong to."""
    taken = inspect.signature(net.get_base_model().forward).parameters
    given: dict[str, Any] = {name: value for name, value in inputs.items() if name in taken or name == "labels"}
    if "logits_to_keep" in taken:
        return {**given, "logits_to_keep": inputs["labels"].shape[1]}
    return {**given, "labels": _widened(inputs["labels"], inputs["input_ids"].shape[1])}


def _widened(labels: Tensor, size: int) -> Tensor:
    """Labels of all outputs, (n, T); outputs before the answers have none."""
    wide = labels.new_full((len(labels), size), IGNORED)
    wide[:, size - labels.shape[1] :] = labels
    return wide


def tune_score(model: LoraModel, data: TrainingData, options: LoraOptions) -> Validation | None:
    """The score that the options name; None where no tune source has a reference."""
    greedy = ChatGenerationOptions(beam=1, longest=options.longest, precision=options.precision)
    return tune_scores.tune_score(model, data, options, greedy, partial(mean_loss, model))


def mean_loss(model: LoraModel, pairs: Sequence[tuple[str, str]], context: RunContext | None = None) -> float:
    """Nats a token of the answers, over all pairs; the text is cut where the prompt is too long."""
    prompt, collate = prompt_of(model.options.prompt, model.directions[0]), ChatCollator(model.chat.pad)
    most = model.read(model.room(model.options.longest))

    def batch(part: list[tuple[str, str]]) -> dict[str, Any]:
        rows = [
            (prompt_ids(model.chat, prompt, source, most), model.chat.answer(target)[: model.options.longest])
            for source, target in part
        ]
        return answers_only(model.net, collate(rows))

    return tune_scores.mean_loss(model.net, batch, pairs, TEXTS, model.options.precision, context or RunContext())
