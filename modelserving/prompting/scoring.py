"""A prompted model on the first tune sources: what they become, and how good that is."""

import math
from typing import Any

from modelserving.prompting.model import PromptedModel
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData

SAMPLES = 5


def score_on_tune(model: PromptedModel, data: TrainingData, callbacks: Callbacks) -> None:
    """Rewrite `tune_most` sources that have references, and tell the metric and some samples. Stopped as a training."""
    from evaluation.metrics import METRICS
    from evaluation.metrics import MetricInput as Texts

    options = model.options
    places = [place for place, texts in enumerate(data.dev.of_each) if texts][: options.tune_most]
    if not places:
        return
    sources = [data.dev.sources[place] for place in places]
    references = [data.dev.of_each[place] for place in places]
    context = callbacks.run_context(lambda: callbacks.at(len(outputs), len(places)))
    outputs: list[str] = []
    asking: Any = model.within(context)
    for output in asking.transfer(sources, data.direction, options.calls):
        outputs.append(output)
        callbacks.at(len(outputs), len(places))
    context.refuse_nothing(sum(map(bool, outputs)))
    metric = METRICS[options.tune_by]
    found = metric.score(Texts(sources, outputs, references, language=data.language)).corpus
    rows = zip(sources, outputs, references, strict=True)
    higher = bool(metric.higher_is_better)
    callbacks.score(options.tune_by, 1, math.nan if found is None else found, higher_is_better=higher)
    callbacks.samples(1, [Sample(source, output, texts[0]) for source, output, texts in rows][:SAMPLES])
    callbacks.say(f"Rewrote {len(outputs)} tune sources: {context.usage}.")
    if context.usage.warning:
        callbacks.say(context.usage.warning)
