"""The inputs and outputs of a metric: texts, settings, scores, sums over sentences; and their checks."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import ConceptLinker, TrainingMaterial
from foundation.errors import UserError, first_five

# The input of a metric: the outputs of a system, and all texts that they may be compared with.

MATERIAL = frozenset({"texts", "rated", "style_words", "preferences"})


@dataclass(frozen=True)
class MetricInput:
    """The n outputs of one system and the texts that they are scored against, in sentence order.

    A list has n entries, or none where a metric does not need it.

    Attributes:
        sources: The source of each output.
        outputs: The outputs.
        references: The references of each output. Their number may differ from sentence to sentence.
        source_styles: The style of each source.
        target_styles: The style that each output is to have.
        terms: The full forms in brackets of each sentence, for each reference of a set whose terms are marked. There
            may be none.
        link: Finds the concepts of a text.
        material: The study's data for training.
        language: The language of the texts, a BCP 47 tag; "" is English.
    """

    sources: list[str]
    outputs: list[str]
    references: list[list[str]]
    source_styles: list[str] = field(default_factory=list)
    target_styles: list[str] = field(default_factory=list)
    terms: list[list[list[str]]] = field(default_factory=list)
    link: ConceptLinker | None = None
    material: TrainingMaterial | None = None
    language: str = ""

    def __post_init__(self) -> None:
        for name in ("sources", "references", "source_styles", "target_styles", "terms"):
            given = len(getattr(self, name))
            if given not in (0, len(self.outputs)):
                raise UserError(
                    "There are {outputs_count} outputs but {given} {name}.",
                    outputs_count=len(self.outputs),
                    given=given,
                    name=name,
                )

    def reference_count(self) -> str:
        """'4' where every sentence has four references, 'var' where their numbers differ, '0' without any."""
        counts = {len(each) for each in self.references} or {0}
        return str(counts.pop()) if len(counts) == 1 else "var"


def require(batch: MetricInput, needs: frozenset[str], name: str) -> None:
    """Check that an input holds what a metric needs.

    Args:
        batch: The input.
        needs: What the metric needs, as `Metric.needs` says it.
        name: The metric's name.

    Raises:
        UserError: It has no output, or lacks something of these.
    """
    if not batch.outputs:
        raise UserError("There are no outputs to score.", where=name)
    if "sources" in needs and not batch.sources:
        raise UserError("This metric needs the sources, and there are none.", where=name)
    if "styles" in needs and not batch.target_styles:
        raise UserError("This metric needs the target style of each output, and there are none.", where=name)
    if batch.material is None and needs & MATERIAL:
        raise UserError("This metric needs training, and there is nothing to train it on.", where=name)
    if "link" in needs and batch.link is None:
        raise UserError("This metric needs a linker of concepts.", where=name)
    if "references" in needs:
        bare = [i + 1 for i in range(len(batch.outputs)) if not batch.references or not batch.references[i]]
        if bare:
            raise UserError("These sentences have no reference: {bare}.", bare=first_five(bare), where=name)


# The results of a metric, and their stored part.

Floats = NDArray[np.float64]

CONTRACT = 4
"""The version of what `Scores` hold: raise it where that changes, so that stored scores are computed again."""


def ratio_of(top: Floats, bottom: Floats) -> Floats:
    """top / bottom; NaN where bottom is 0."""
    ratio: Floats = np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=np.asarray(bottom != 0))
    return ratio


def exact_sums(rows: Floats) -> Floats:
    """The sum of each column of (n, k), the same in whatever order the rows stand."""
    return np.array([math.fsum(column) for column in rows.T], dtype=np.float64)


def mean_statistics(sentences: Floats) -> Floats:
    """(n, 2): the score, and 1 to count it; 0 and 0 where there is none."""
    scored = ~np.isnan(sentences)
    return np.column_stack((np.where(scored, sentences, 0.0), scored.astype(np.float64)))


def mean_of_sums(sums: Floats) -> Floats:
    """(...,): the mean of the sentences whose statistics (..., 2) were summed; NaN without any."""
    return ratio_of(sums[..., 0], sums[..., 1])


UNSAID: Any = None


@dataclass(frozen=True)
class Scores:
    """The scores of n outputs, as a metric computes them, as they are stored, or as a snapshot lays them over n units.

    A metric's own part is the first four; `Metric.score` adds the rest. Only the score of the whole is kept for a
    degenerate baseline, the source and the reference.

    Attributes:
        sentences: float64 (n,), NaN where a sentence has no score.
        details: Further numbers of the whole, such as precisions and lengths.
        sufficient_statistics: float64 (n, k), each sentence's part in the k sums that `corpus_of` takes. Without them
            the corpus score is the mean of the sentences that have a score.
        undefined: Why there is no corpus score, in one sentence.
        corpus: The score of the whole. None marks a missing one.
        signature: Everything needed to compute the scores again.
        corpus_of: The metric's `corpus_of`: corpus scores of sums over sentences.
        there: bool (n,), which of the units were scored. The others have NaN, and statistics of zero.
    """

    sentences: Floats
    details: Mapping[str, float] = field(default_factory=dict)
    sufficient_statistics: Floats = UNSAID
    undefined: str = ""
    corpus: float | None = None
    signature: str = ""
    corpus_of: Callable[[Floats], Floats] = mean_of_sums
    there: NDArray[np.bool_] = UNSAID

    def __post_init__(self) -> None:
        if self.sufficient_statistics is None:
            object.__setattr__(self, "sufficient_statistics", mean_statistics(self.sentences))
        if self.there is None:
            object.__setattr__(self, "there", np.ones(len(self.sentences), dtype=bool))

    def laid_over(self, places: NDArray[np.intp], n: int) -> "Scores":
        """The same scores over n units; those at `places` (in the order of the scores) were scored."""
        sentences, there = np.full(n, np.nan), np.zeros(n, dtype=bool)
        rows = np.zeros((n, self.sufficient_statistics.shape[1]))
        sentences[places], there[places], rows[places] = self.sentences, True, self.sufficient_statistics
        return replace(self, sentences=sentences, sufficient_statistics=rows, there=there)


def no_scores(n: int, why: str) -> Scores:
    """Scores of n outputs that have none, with the reason in one sentence."""
    return Scores(np.full(n, np.nan), {}, np.empty((n, 0)), why)


Setting = bool | str | int | float
