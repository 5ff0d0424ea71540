"""How the tune set is scored while a pretrained model is trained: by its loss, or by a metric of its outputs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import torch

from foundation.errors import UserError
from modelserving.pretrained.options import TunedOptions
from modelserving.pretrained.token_rows import IGNORED
from modelserving.pretrained.trainer import summed_loss
from modelserving.run_context import RunContext, batchwise
from modelserving.training.dataset import TrainingData
from modelserving.training.network import autocast
from modelserving.training.products import quick_layers
from modelserving.training.validation import SAMPLES, Sampled, TuneTexts, Validation

LOSS = "validation_loss"
Row = TypeVar("Row")


def tune_score(
    model: Any, data: TrainingData, options: TunedOptions, decoding: Any,
    loss: Callable[[Sequence[tuple[str, str]], RunContext], float], *, marked: bool = False, parted: bool = False,
) -> Validation | None:  # fmt: skip
    """The score that the options name; None where no tune source has a reference.

    Args:
        loss: Of pairs of a source and its first reference, nats a token. `marked`: the references with their brackets.
        parted: The model is one in parts, which writes no samples: processes that end a text apart wait for ever.
        decoding: How the model writes the samples and the outputs that a metric scores.
    """
    tune = TuneTexts.of(data, options.tune_most)
    if tune is None:
        return None
    if options.tune_by != "loss":
        return tune.by_metric(model, options.tune_by, decoding)
    pairs = tune.pairs(marked=marked)

    def score(context: RunContext) -> Sampled:
        value = loss(pairs, context)
        return value, [] if parted else tune.samples(tune.written(model, context, decoding, SAMPLES))

    return Validation(LOSS, score, higher_is_better=False)


@torch.inference_mode()
def mean_loss(
    net: Any, batch_of: Callable[[list[Row]], Mapping[str, Any]], rows: Sequence[Row], size: int, precision: str,
    context: RunContext,
) -> float:  # fmt: skip
    """Nats a token of the labels over all rows, so many rows at a time.

    `batch_of` makes the network's inputs from rows, with "labels": label t belongs to output t.
    """
    net.eval()
    device = str(net.device)

    def losses(part: list[Row]) -> list[tuple[float, int]]:
        inputs = {name: value.to(device) if torch.is_tensor(value) else value for name, value in batch_of(part).items()}
        labels = inputs.pop("labels")
        with autocast(device, precision), quick_layers(net):
            logits = net(**inputs, use_cache=False).logits
        return [(float(summed_loss(logits, labels)), int((labels != IGNORED).sum()))]

    batches = (list(rows[start : start + size]) for start in range(0, len(rows), size))
    found = list(batchwise(losses, batches, _too_long, context))
    return sum(total for total, _ in found) / max(1, sum(count for _, count in found))


def _too_long(row: object) -> UserError:
    return UserError(
        "The GPU's memory is too small for a single dev text: cut texts shorter, or choose a smaller model.",
        where="tune_by",
    )
