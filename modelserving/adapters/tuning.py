"""Training an adapter: transformers' Trainer over chats, the loss on answers alone, and how the tune set is scored."""

import inspect
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import Trainer

from evaluation.metrics import METRICS
from evaluation.metrics import MetricInput as Texts
from modelserving.adapters.model import LoraModel
from modelserving.adapters.options import ChatGenerationOptions, LoraOptions
from modelserving.adapters.prompts import prompt_ids, prompt_of
from modelserving.adapters.rows import ChatCollator
from modelserving.pretrained.bridge import TuneScore
from modelserving.pretrained.token_rows import IGNORED, Inputs
from modelserving.pretrained.trainer import Bridged, summed_loss
from modelserving.pretrained.tune_scores import mean_of
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.precision import autocast

LOSS = "validation_loss"
SAMPLES = 5
TEXTS = 8  # of which a loss is worked out at a time


class CausalTrainer(Bridged, Trainer):  # type: ignore[misc]
    """Trainer, bridged, of a model that reads and writes in one line."""

    def compute_loss(
        self, model: Any, inputs: Inputs, return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Of the last outputs alone, as many as the longest answer has ids: a vocabulary is wide."""
        return super().compute_loss(model, answers_only(self.model, inputs), return_outputs, num_items_in_batch)


def answers_only(net: Any, inputs: Inputs) -> dict[str, Any]:
    """What the model takes, so that its outputs are those that the labels (n, Ta) belong to."""
    taken = inspect.signature(net.get_base_model().forward).parameters
    given: dict[str, Any] = {name: value for name, value in inputs.items() if name in taken or name == "labels"}
    if "logits_to_keep" in taken:
        return {**given, "logits_to_keep": inputs["labels"].shape[1]}
    return {**given, "labels": _widened(inputs["labels"], inputs["input_ids"].shape[1])}


def _widened(labels: Tensor, size: int) -> Tensor:
    """Labels of all outputs, (n, T): of those before the answers none."""
    wide = labels.new_full((len(labels), size), IGNORED)
    wide[:, size - labels.shape[1] :] = labels
    return wide


def tune_score(model: LoraModel, data: TrainingData, options: LoraOptions) -> TuneScore | None:
    """The score that the options name; None where no tune source has a reference."""
    places = [place for place, texts in enumerate(data.dev.of_each) if texts][: options.tune_most]
    if not places:
        return None
    sources = [data.dev.sources[place] for place in places]
    references = [data.dev.of_each[place] for place in places]
    greedy = ChatGenerationOptions(beam=1, longest=options.longest, precision=options.precision)

    def written(most: int, context: RunContext) -> list[str]:
        return list(model.within(context).transfer(sources[:most], data.direction, greedy))

    def samples(outputs: Sequence[str]) -> list[Sample]:
        rows = zip(sources, outputs, references, strict=False)
        return [Sample(source, output, texts[0]) for source, output, texts in rows]

    def by_loss(context: RunContext) -> tuple[float, Sequence[Sample]]:
        pairs = [(source, texts[0]) for source, texts in zip(sources, references, strict=True)]
        return mean_loss(model, pairs, context), samples(written(SAMPLES, context))

    def by_metric(context: RunContext) -> tuple[float, Sequence[Sample]]:
        outputs = written(len(sources), context)
        found = METRICS[options.tune_by].score(Texts(sources, outputs, references, language=data.language)).corpus
        return (math.nan if found is None else found), samples(outputs[:SAMPLES])

    if options.tune_by == "loss":
        return TuneScore(LOSS, by_loss, higher_is_better=False)
    return TuneScore(options.tune_by, by_metric, bool(METRICS[options.tune_by].higher_is_better))


@torch.inference_mode()
def mean_loss(model: LoraModel, pairs: Sequence[tuple[str, str]], context: RunContext | None = None) -> float:
    """Nats a token of the answers, over all pairs; of prompts that are too long the text is cut."""
    device = str(model.net.device)
    prompt, collate = prompt_of(model.options.prompt, model.directions[0]), ChatCollator(model.chat.pad)
    most = model.read(model.room(model.options.longest))
    model.net.eval()

    def losses(part: list[tuple[str, str]]) -> list[tuple[float, int]]:
        rows = [
            (prompt_ids(model.chat, prompt, source, most), model.chat.answer(target)[: model.options.longest])
            for source, target in part
        ]
        given = answers_only(model.net, {name: tensor.to(device) for name, tensor in collate(rows).items()})
        labels = given.pop("labels")
        with autocast(device, model.options.precision):
            logits = model.net(**given, use_cache=False).logits
        return [(float(summed_loss(logits, labels)), int((labels != IGNORED).sum()))]

    return mean_of(losses, pairs, TEXTS, context or RunContext())
