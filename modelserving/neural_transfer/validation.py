"""How the tune set is scored while a network is trained: by a metric, by its loss, or by style and content."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS
from evaluation.metrics import MetricInput as Texts
from foundation.errors import UserError
from modelserving.interface import Direction
from modelserving.run_context import RunContext, batchwise
from modelserving.training.batches import Batches, pad
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import Pairs, TrainingData
from modelserving.training.network import Loss, autocast
from modelserving.training.process_group import ProcessGroup
from modelserving.training.recipe import (
    ALIGNMENT,
    ENTROPY,
    LOSS,
    ON_ONE_PLACE,
    STYLE_AND_CONTENT,
    BeamSearchOptions,
)
from modelserving.training.tokenization import BEGIN
from modelserving.training.validation import SAMPLES, Sampled, TuneTexts, Validation

if TYPE_CHECKING:
    from modelserving.neural_transfer.model import NetworkModel

OF_EACH_STYLE = 3


def by_style_and_content(
    model: "NetworkModel", train: Mapping[str, Sequence[str]], tune: Mapping[str, Sequence[str]], language: str = ""
) -> Validation:
    """The geometric mean of style accuracy and self-BLEU, 0 to 100, of tune texts moved greedily into the other style.

    Useless models reach the best of either alone: a copy keeps all of its source, and any text of the other style is
    of that style. The classifier is trained on the train texts, once in each process.
    """

    material = TrainingMaterial(texts=train, tune=tune)

    def score(context: "RunContext") -> tuple[float, Sequence[Sample]]:
        within, samples = model.within(context), list[Sample]()
        sources, outputs, styles = list[str](), list[str](), list[str]()
        for direction in model.directions:
            given = list(tune[direction[0]])
            written = list(within.transfer(given, direction, GREEDY))
            sources += given
            outputs += written
            styles += [direction[1]] * len(given)
            samples += [Sample(*pair, "") for pair in zip(given[:OF_EACH_STYLE], written, strict=False)]
        texts = Texts(sources, outputs, [], target_styles=styles, material=material, language=language)
        return _mean_of_both(texts), samples

    return Validation(STYLE_AND_CONTENT, score)


def _mean_of_both(texts: Texts) -> float:
    accuracy, kept = (METRICS[name].score(texts).corpus for name in ("style_accuracy", "self_bleu"))
    return math.nan if accuracy is None or kept is None else math.sqrt(100 * accuracy * kept)


GREEDY = BeamSearchOptions(beam=1)


def by_metric(
    model: "NetworkModel", data: TrainingData, options: Any, decoding: Any = GREEDY
) -> Validation | None:  # fmt: skip
    """The metric of the first `tune_most` sources that have a reference, rewritten as `decoding` says."""
    tune = TuneTexts.of(data, options.tune_most)
    return tune.by_metric(model, options.tune_by, decoding) if tune else None


def by_loss(
    model: "NetworkModel", data: TrainingData, options: Any, callbacks: Callbacks, decoding: Any = GREEDY
) -> Validation | None:  # fmt: skip
    """The perplexity of the first reference of each tune source."""
    tune = TuneTexts.of(data, options.tune_most)
    if tune is None:
        return None
    sources, targets = zip(*tune.pairs(), strict=True)
    inner = Callbacks(callbacks.folder / "tune", callbacks.seed)
    inner.folder.mkdir(exist_ok=True)
    tuned = replace(data, train=Pairs(sources, targets))
    batches = model.kind.batches(tuned, model.vocabularies, options, inner, ProcessGroup())

    def score(context: RunContext) -> Sampled:
        samples = tune.samples(tune.written(model, context, decoding, SAMPLES))
        return perplexity(model.within(context), batches), samples

    return Validation(LOSS, score, higher_is_better=False)


WATCHED, SHORTEST, LONGEST = 16, 4, 60  # texts whose attention is watched, and their words: of fewer one has much of it


def watch_attention(
    model: "NetworkModel", pairs: Sequence[tuple[str, str]], direction: Direction
) -> Callable[[RunContext], Mapping[str, float]]:
    """A function that gives the curves of attention (`training.recipe`) to a few sources as their targets are written.

    It takes the first pairs of SHORTEST to LONGEST words, at most WATCHED. A word that stands at several places of a
    source may be attended to at any of them. Without such texts, or with a network that attends to nothing, there are
    no curves.
    """
    cut = model.vocabularies.tokenizer.tokenize
    texts = ((cut(source), cut(target)) for source, target in pairs if model.net.attends)
    fitting = [each for each in texts if all(SHORTEST <= len(words) <= LONGEST for words in each)][:WATCHED]

    def work(places: list[int]) -> list[_Attended]:
        sources, targets = zip(*(fitting[place] for place in places), strict=True)
        with autocast(model.device, model.options.precision):
            attention = _attention(model, sources, targets, direction)
        return [
            _Attended.of(one[: len(target), : len(source)], source, target)
            for one, source, target in zip(attention, sources, targets, strict=True)
        ]

    def watch(context: RunContext) -> dict[str, float]:
        if not fitting:
            return {}
        places = list(range(len(fitting)))
        found = list(batchwise(work, [places], lambda place: model.too_large(fitting[place][0]), context))
        steps, same = sum(one.steps for one in found), sum(one.same for one in found)
        curves = {
            ENTROPY: sum(one.entropy for one in found) / steps,
            ON_ONE_PLACE: sum(one.on_one_place for one in found) / len(found),
        }
        return {**curves, ALIGNMENT: sum(one.aligned for one in found) / same} if same else curves

    return watch


@dataclass(frozen=True)
class _Attended:
    """The attention of a text: sums over its steps, and over those whose word its source has (`same`)."""

    steps: int
    entropy: float
    same: int
    aligned: float
    on_one_place: float

    @classmethod
    def of(cls, attention: NDArray[np.float64], source: Sequence[str], target: Sequence[str]) -> "_Attended":
        """The sums of an attention (Ty, Tx) whose rows sum to 1 over the places of the source."""
        there = np.array([[word == other for other in source] for word in target])
        entropy = -(attention * np.log(np.maximum(attention, np.finfo(np.float64).tiny))).sum()
        aligned, same = (attention * there).sum(), there.any(1).sum()
        return cls(len(target), float(entropy), int(same), float(aligned), float(attention.mean(0).max()))


@torch.inference_mode()
def _attention(
    model: "NetworkModel", sources: Sequence[list[str]], targets: Sequence[list[str]], direction: Direction
) -> NDArray[np.float64]:
    """The attention (n, Ty, Tx) of the network's steps as it writes the targets, whatever it would write itself."""
    model.net.eval()
    written, _ = pad([model.vocabularies.target.ids(words) for words in targets])
    memory, state = model.net.start(model.kind.source_batch(model, sources, direction).to(model.device))
    found, last = [], torch.full((len(targets),), BEGIN, device=model.device)
    for words in written.to(model.device).unbind(1):
        step = model.net.step(memory, state, last)
        assert step.attention is not None
        found.append(step.attention.double())
        state, last = step.state, words
    return torch.stack(found, 1).cpu().numpy()


def perplexity(model: "NetworkModel", batches: Batches) -> float:
    """exp of the network's first loss per word, over all batches."""
    totals = _totals(model, batches, lambda losses: [(losses[0].total.item(), losses[0].count)])
    return math.exp(min(700.0, _mean(totals[0])))


def objective(model: "NetworkModel", batches: Batches) -> float:
    """The weighted sum of the network's losses, each divided by what the trainer divides it by, over all batches."""
    totals = _totals(
        model, batches,
        lambda losses: [
            (loss.weight * loss.total.item(), loss.count if loss.over is None else loss.over) for loss in losses
        ],
    )  # fmt: skip
    return sum(map(_mean, totals))


def _mean(total: tuple[float, float]) -> float:
    return total[0] / max(1.0, total[1])


@torch.inference_mode()
def _totals(
    model: "NetworkModel", batches: Batches, of: Callable[[list[Loss]], list[tuple[float, float]]]
) -> list[tuple[float, float]]:
    """The result `of` each batch's losses, summed up over the batches."""
    model.net.eval()

    def losses(rows: list[int]) -> list[list[tuple[float, float]]]:
        with autocast(model.device, model.options.precision):
            return [of(model.net.losses(batches.batch(np.array(rows)).to(model.device)))]  # of all rows together

    def too_large(row: int) -> UserError:
        one = batches.batch(np.array([row]))
        words = max(int(one.source_lengths.max()), int(one.target_lengths.max()))
        return UserError("A single dev text of {words:,} tokens does not fit into the memory of {device}: lower "
"'longest' or 'read', or make the network smaller.", words=words, device=model.device, where="tune_by")  # fmt: skip

    listed = ([int(row) for row in rows] for rows in batches.order(0))
    found = list(batchwise(losses, listed, too_large, model.context))
    return [(sum(total for total, _ in each), sum(over for _, over in each)) for each in zip(*found, strict=True)]
