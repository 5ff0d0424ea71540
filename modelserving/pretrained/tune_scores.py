"""How the tune set is scored while an encoder and decoder are trained: by its loss, or by a metric of its outputs."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

from evaluation.metrics import METRICS
from evaluation.metrics import MetricInput as Texts
from foundation.errors import UserError
from modelserving.pretrained.bridge import TuneScore
from modelserving.pretrained.model import PretrainedModel
from modelserving.pretrained.options import PretrainedOptions, SidesGenerationOptions
from modelserving.pretrained.token_rows import IGNORED, PairCollator
from modelserving.pretrained.trainer import summed_loss
from modelserving.run_context import RunContext, batchwise
from modelserving.training.callbacks import Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.precision import autocast

LOSS = "validation_loss"
SAMPLES = 5
Row = TypeVar("Row")
TEXTS = 16  # of which a loss is worked out at a time


def tune_score(
    model: PretrainedModel, data: TrainingData, options: PretrainedOptions, collate: PairCollator
) -> TuneScore | None:
    """The score that the options name; None where no tune source has a reference."""
    places = [place for place, texts in enumerate(data.dev.of_each) if texts][: options.tune_most]
    if not places:
        return None
    sources = [data.dev.sources[place] for place in places]
    references = [data.dev.of_each[place] for place in places]
    greedy = SidesGenerationOptions(beam=1, longest=options.write, precision=options.precision)

    def written(most: int, context: RunContext) -> list[str]:
        return list(model.within(context).transfer(sources[:most], data.direction, greedy))

    def samples(outputs: Sequence[str]) -> list[Sample]:
        rows = zip(sources, outputs, references, strict=False)
        return [Sample(source, output, texts[0]) for source, output, texts in rows]

    def by_loss(context: RunContext) -> tuple[float, Sequence[Sample]]:
        marked = data.dev.marked if options.marked else data.dev.references
        targets = [next(filter(None, (texts[place] for texts in marked)), "") for place in places]
        value = mean_loss(model, list(zip(sources, targets, strict=True)), options, collate, context)
        return value, samples(written(SAMPLES, context))

    def by_metric(context: RunContext) -> tuple[float, Sequence[Sample]]:
        outputs = written(len(sources), context)
        found = METRICS[options.tune_by].score(Texts(sources, outputs, references, language=data.language)).corpus
        return (math.nan if found is None else found), samples(outputs[:SAMPLES])

    if options.tune_by == "loss":
        return TuneScore(LOSS, by_loss, higher_is_better=False)
    return TuneScore(options.tune_by, by_metric, bool(METRICS[options.tune_by].higher_is_better))


@torch.inference_mode()
def mean_loss(
    model: PretrainedModel, pairs: Sequence[tuple[str, str]], options: PretrainedOptions, collate: PairCollator,
    context: RunContext | None = None,
) -> float:  # fmt: skip
    """Nats a token of the targets, over all pairs."""
    device, write = str(model.net.device), min(options.write, model.folder.positions or options.write)

    def losses(part: list[tuple[str, str]]) -> list[tuple[float, int]]:
        rows = zip(
            model.subwords.ids([f"{model.prefix}{source}" for source, _ in part], model.read),
            model.subwords.ids([target for _, target in part], write), strict=True,
        )  # fmt: skip
        batch = {name: tensor.to(device) for name, tensor in collate(list(rows)).items()}
        labels = batch.pop("labels")
        with autocast(device, options.precision):
            logits = model.net(**batch, use_cache=False).logits
        return [(float(summed_loss(logits, labels)), int((labels != IGNORED).sum()))]

    return mean_of(losses, pairs, TEXTS, context or RunContext())


def mean_of(
    losses: Callable[[list[Row]], list[tuple[float, int]]], rows: Sequence[Row], size: int, context: RunContext
) -> float:
    """The mean over all rows of losses, so many rows at a time; each is nats over tokens."""
    batches = (list(rows[start : start + size]) for start in range(0, len(rows), size))
    found = list(batchwise(losses, batches, _too_long, context))
    return sum(total for total, _ in found) / max(1, sum(count for _, count in found))


def _too_long(row: object) -> UserError:
    return UserError("The GPU's memory does not do for a single dev text: cut texts shorter, or choose a smaller "
                     "model.", where="tune_by")  # fmt: skip
