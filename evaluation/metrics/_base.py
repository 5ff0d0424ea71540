"""What a metric is: texts in, one number for the whole and one a sentence out, with a signature.

A corpus score is computed from sufficient statistics, sums over the sentences (matching n-grams, edits, words). So the
corpus score of any resample of the sentences is computed without scoring them again.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import ConceptLinker, TrainingMaterial
from foundation.errors import UserError, first_five
from foundation.papers import Paper
from foundation.polarity import Poles

Setting = bool | str | int | float
Floats = NDArray[np.float64]

CONTRACT = 4
"""The version of what `Scores` hold: raise it where that changes, so that stored scores are computed again."""

MATERIAL = frozenset({"texts", "rated", "style_words"})
NO_SENTENCE = "None of the sentences has a score."


@dataclass(frozen=True)
class MetricInput:
    """The n outputs of one system and what they are scored against, in sentence order.

    A list has n entries, or none where a metric does not need it.

    Attributes:
        sources: The source of each output.
        outputs: The outputs.
        references: The references of each output; their number may differ from sentence to sentence.
        source_styles: The style of each source.
        target_styles: The style that each output is to have.
        terms: Of each sentence, for each reference that has any, the full forms of terms that stand in brackets.
        link: Finds the concepts of a text.
        material: What a study has to train a metric on.
    """

    sources: list[str]
    outputs: list[str]
    references: list[list[str]]
    source_styles: list[str] = field(default_factory=list)
    target_styles: list[str] = field(default_factory=list)
    terms: list[list[list[str]]] = field(default_factory=list)
    link: ConceptLinker | None = None
    material: TrainingMaterial | None = None

    def __post_init__(self) -> None:
        for name in ("sources", "references", "source_styles", "target_styles", "terms"):
            given = len(getattr(self, name))
            if given not in (0, len(self.outputs)):
                raise UserError(f"There are {len(self.outputs)} outputs but {given} {name}.")

    def reference_count(self) -> str:
        """'4' where every sentence has four references, 'var' where their numbers differ, '0' without any."""
        counts = {len(each) for each in self.references} or {0}
        return str(counts.pop()) if len(counts) == 1 else "var"


@dataclass(frozen=True)
class Scores:
    """The scores of a system's n outputs.

    Attributes:
        corpus: The score of the whole; None where there is none.
        sentences: float64 (n,), the score of each sentence, in the order of the input; NaN where it has none.
        details: Further numbers of the whole, such as precisions and lengths.
        signature: All that it takes to compute the scores again.
        sufficient_statistics: float64 (n, k), each sentence's part in the k sums that the metric's `corpus_of` takes.
        undefined: Why there is no corpus score, in one sentence.
    """

    corpus: float | None
    sentences: Floats
    details: dict[str, float]
    signature: str
    sufficient_statistics: Floats
    undefined: str = ""


@dataclass(frozen=True)
class Result:
    """What a metric computes of n sentences.

    Attributes:
        sentences: float64 (n,), NaN where a sentence has no score.
        details: Further numbers of the whole.
        sufficient_statistics: float64 (n, k), whose sums `corpus_of` takes; without them the corpus score is the mean
            of the sentences that have a score.
        undefined: Why there is no corpus score, in one sentence.
    """

    sentences: Floats
    details: Mapping[str, float] = field(default_factory=dict)
    sufficient_statistics: Floats | None = None
    undefined: str = ""


class Metric(ABC):
    """A metric with its source and its settings. Stateless: one instance serves all.

    Attributes:
        name: The name of the file.
        label: What tables and pages call it.
        paper: Who proposed it.
        unit: What the numbers are, and their range.
        version: Counts changes of our own arithmetic; stored scores of another version are computed again.
        needs: What an input must hold: sources, references, styles, terms, link, and of the material texts, rated and
            style_words.
        higher_is_better: None where neither end is the better one.
        poles: The styles that its low and its high end mean, where it measures one style against another; the better
            end then follows from a direction (`foundation.poles`), and from nothing else.
        defaults: Its settings. A setting is of the kind of its default: yes or no, a number, or a text, which without
            `choices` is the name of a file or folder below RESTYLE_MODELS (`foundation.local_resources`).
        choices: The texts that a setting may be.
        bounds: The lowest and highest value of a number, both included.
        aspect: The aspect of people's criteria that it stands for, one of `foundation.aspects.ASPECTS`.
    """

    name: str
    label: str
    paper: Paper
    unit: str
    version = 1
    needs: frozenset[str] = frozenset()
    higher_is_better: bool | None = None
    poles: Poles | None = None
    defaults: Mapping[str, Setting] = {}
    choices: Mapping[str, Sequence[str]] = {}
    bounds: Mapping[str, tuple[float, float]] = {}
    aspect: str = "overall"

    def score(self, batch: MetricInput, **settings: object) -> Scores:
        """Score a system's outputs.

        Args:
            batch: The n outputs and what they are scored against.
            **settings: Settings other than the defaults.

        Returns:
            The scores of the whole and of each sentence.

        Raises:
            UserError: A setting is unknown, or the input lacks what the metric needs.
        """
        chosen = self.settings(**settings)
        self._require(batch)
        result = self._score(batch, chosen)
        rows = (
            mean_statistics(result.sentences) if result.sufficient_statistics is None else result.sufficient_statistics
        )
        corpus = float(self.corpus_of(exact_sums(rows)))
        why = result.undefined or ("" if math.isfinite(corpus) else NO_SENTENCE)
        signature = self._sign(chosen, batch)
        return Scores(None if why else corpus, result.sentences, dict(result.details), signature, rows, why)

    def corpus_of(self, sums: Floats) -> Floats:
        """Corpus scores of sums over sentences; here the sentences' mean.

        Args:
            sums: float64 (..., k), sufficient statistics summed over the sentences of each resample.

        Returns:
            float64 (...), one score a resample; finite or NaN, without a warning, where that has no sentence.
        """
        return ratio_of(sums[..., 0], sums[..., 1])

    def unavailable(self, **settings: object) -> str:
        """Why this machine cannot compute it under these settings, as a sentence that says what to install; "" where
        it can."""
        return ""

    def signature(self, **settings: object) -> str:
        """What is computed under these settings, as 'key:value|key:value'; that of scores says `nrefs` as well."""
        return self._sign(self.settings(**settings), None)

    def settings(self, **settings: object) -> dict[str, Setting]:
        """All settings, the defaults filled in. UserError names the key and what is expected."""
        chosen = dict(self.defaults)
        for key, value in settings.items():
            chosen[key] = self._checked(key, value)
        return chosen

    @abstractmethod
    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        """Score an input that holds at least one output and all that the metric needs.

        A sentence's score is the same to the last digit whatever outputs stand beside it and wherever it stands: two
        systems that wrote the same are tied. A metric whose corpus score is not the mean of its sentences returns
        `sufficient_statistics` too, and has a `corpus_of` of its own.
        """

    @abstractmethod
    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """The metric's own parts of the signature: case, tokenizer, library and its version."""

    def _sign(self, chosen: Mapping[str, Setting], batch: MetricInput | None) -> str:
        parts = {"metric": self.name}
        if batch is not None and "references" in self.needs:
            parts["nrefs"] = batch.reference_count()
        parts |= self._signed(chosen) | {"restyle": f"{self.name}.{self.version}"}
        if batch is not None and batch.material is not None:
            parts |= self._signed_material(chosen, batch.material)
        return "|".join(f"{key}:{value}" for key, value in parts.items())

    def _signed_material(self, chosen: Mapping[str, Setting], material: TrainingMaterial) -> dict[str, str]:
        """On what a metric was trained that `needs` texts or ratings."""
        parts: dict[str, str] = {}
        if "texts" in self.needs:
            parts |= {"texts": material.digest("texts")[:8], "origin": material.origin}
        if "rated" in self.needs:
            parts["rated"] = material.digest("rated")[:8]
        return parts

    def _checked(self, key: str, value: object) -> Setting:
        where = f"metrics.{self.name}.{key}"
        if key not in self.defaults:
            known = ", ".join(self.defaults) or "none"
            raise UserError(f"There is no such setting; the settings of {self.name} are: {known}.", where=where)
        return _read(value, self.defaults[key], self.choices.get(key), self.bounds.get(key), where)

    def _require(self, batch: MetricInput) -> None:
        if not batch.outputs:
            raise UserError("There are no outputs to score.", where=self.name)
        if "sources" in self.needs and not batch.sources:
            raise UserError("This metric compares with the sources, and there are none.", where=self.name)
        if "styles" in self.needs and not batch.target_styles:
            raise UserError("This metric asks for each output's target style, and there are none.", where=self.name)
        if batch.material is None and self.needs & MATERIAL:
            raise UserError("This metric is trained, and there is nothing to train it on.", where=self.name)
        if "link" in self.needs and batch.link is None:
            raise UserError("This metric needs a linker of concepts.", where=self.name)
        if "references" in self.needs:
            bare = [i + 1 for i in range(len(batch.outputs)) if not batch.references or not batch.references[i]]
            if bare:
                raise UserError(f"These sentences have no reference: {first_five(bare)}.", where=self.name)


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


def _read(
    value: object, default: Setting, choices: Sequence[str] | None, bounds: tuple[float, float] | None, where: str
) -> Setting:
    """A setting of the kind of its default; a UserError where it is none."""
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise UserError(f"Expected true or false, not {value!r}.", where=where)
    if isinstance(default, str):
        if isinstance(value, str) and (choices is None or value in choices):
            return value
        raise UserError(f"Expected {'a text' if choices is None else _one_of(choices)}, not {value!r}.", where=where)
    low, high = bounds or (-math.inf, math.inf)
    wanted = int if isinstance(default, int) else (int, float)
    if isinstance(value, wanted) and not isinstance(value, bool) and low <= value <= high:
        return int(value) if isinstance(default, int) else float(value)
    kind = "a whole number" if isinstance(default, int) else "a number"
    raise UserError(f"Expected {kind} from {low:g} to {high:g}, not {value!r}.", where=where)


def _one_of(choices: Sequence[str]) -> str:
    return f"one of {', '.join(choices)}"
