"""How the tune set is scored while an encoder and decoder are trained: by its loss, or by a metric of its outputs."""

import math
from collections.abc import Callable, Sequence

import torch

from evaluation.metrics import METRICS
from evaluation.metrics import MetricInput as Texts
from modelserving.pretrained.bridge import TuneScore
from modelserving.pretrained.model import PretrainedModel
from modelserving.pretrained.options import PretrainedOptions, SidesGenerationOptions
from modelserving.pretrained.token_rows import IGNORED, PairCollator
from modelserving.pretrained.trainer import summed_loss
from modelserving.training.callbacks import Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.precision import autocast

LOSS = "validation_loss"
SAMPLES = 5
TEXTS = 16  # of which a loss is worked out at a time
Pause = Callable[[], None]


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

    def written(most: int, pause: Pause) -> list[str]:
        outputs = []
        for output in model.transfer(sources[:most], data.direction, greedy):
            pause()
            outputs.append(output)
        return outputs

    def samples(outputs: Sequence[str]) -> list[Sample]:
        rows = zip(sources, outputs, references, strict=False)
        return [Sample(source, output, texts[0]) for source, output, texts in rows]

    def by_loss(pause: Pause) -> tuple[float, Sequence[Sample]]:
        marked = data.dev.marked if options.marked else data.dev.references
        targets = [next(filter(None, (texts[place] for texts in marked)), "") for place in places]
        value = mean_loss(model, list(zip(sources, targets, strict=True)), options, collate, pause)
        return value, samples(written(SAMPLES, pause))

    def by_metric(pause: Pause) -> tuple[float, Sequence[Sample]]:
        outputs = written(len(sources), pause)
        found = METRICS[options.tune_by].score(Texts(sources, outputs, references)).corpus
        return (math.nan if found is None else found), samples(outputs[:SAMPLES])

    if options.tune_by == "loss":
        return TuneScore(LOSS, by_loss, higher_is_better=False)
    return TuneScore(options.tune_by, by_metric, bool(METRICS[options.tune_by].higher_is_better))


@torch.inference_mode()
def mean_loss(
    model: PretrainedModel, pairs: Sequence[tuple[str, str]], options: PretrainedOptions, collate: PairCollator,
    pause: Pause = lambda: None,
) -> float:  # fmt: skip
    """Nats a token of the targets, over all pairs."""
    total, count, device = 0.0, 0, str(model.net.device)
    write = min(options.write, model.folder.positions or options.write)
    for start in range(0, len(pairs), TEXTS):
        pause()
        part = pairs[start : start + TEXTS]
        rows = zip(
            model.subwords.ids([f"{model.prefix}{source}" for source, _ in part], model.read),
            model.subwords.ids([target for _, target in part], write), strict=True,
        )  # fmt: skip
        batch = {name: tensor.to(device) for name, tensor in collate(list(rows)).items()}
        labels = batch.pop("labels")
        with autocast(device, options.precision):
            logits = model.net(**batch, use_cache=False).logits
        total, count = total + float(summed_loss(logits, labels)), count + int((labels != IGNORED).sum())
    return total / max(1, count)
