"""What a metric is: texts in, one number for the whole and one a sentence out, with a signature.

A corpus score is worked out from sums over the sentences (n-grams that match, edits, words), so that it can be had
again over any other set of the sentences, drawn with repeats, without scoring them anew.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import ConceptLinker, TrainingMaterial
from foundation.errors import UserError, first_five
from foundation.papers import Paper
from foundation.polarity import Poles

Setting = bool | str | int | float
Floats = NDArray[np.float64]

CONTRACT = 4
"""Of what `Scores` hold: raise it where that changes, so that stored scores are worked out again."""

MATERIAL = frozenset({"texts", "rated", "style_words"})
NO_SENTENCE = "None of the sentences has a score."


@dataclass(frozen=True)
class MetricInput:
    """The n outputs of one system and what they are scored against, in sentence order.

    `sources` and `references` may be empty lists where there are none; otherwise each has n entries.
    `references[i]` holds the references of sentence i; their number may differ from sentence to sentence. The rest is
    there where a metric `needs` it: `source_styles` and `target_styles` (n), `terms[i]`, the full forms that stand in
    brackets in each reference of sentence i that has any; `link`, which finds the concepts of a text; and `material`,
    what a study has to train a metric on.
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
    """A system's scores: `corpus` for the whole, `sentences` one a sentence, float64 (n,), in the batch's order.

    `details` are further numbers of the whole (precisions, lengths). `signature` is all it takes to have them again.
    `statistics`, float64 (n, k), are each sentence's part in the k sums that the metric's `corpus_of` takes. A sentence
    that has no score has NaN; where the whole has none, `corpus` is None and `undefined` says why in one sentence.
    """

    corpus: float | None
    sentences: Floats
    details: dict[str, float]
    signature: str
    statistics: Floats
    undefined: str = ""


@dataclass(frozen=True)
class Result:
    """What a metric works out of a batch: the scores of its n sentences and details of the whole.

    `statistics` (n, k) are what `corpus_of` sums; without them the corpus score is the mean of the sentences that have
    a score (the others hold NaN). `undefined` says why there is no corpus score.
    """

    sentences: Floats
    details: Mapping[str, float] = field(default_factory=dict)
    statistics: Floats | None = None
    undefined: str = ""


class Metric(ABC):
    """A metric with its source and its settings. Stateless: one instance serves all.

    `unit` says what the numbers are and their range. `higher_is_better` is None where neither end is the better one.
    `poles` are the styles that its low and its high end mean, where it measures one style against another: then the
    better end follows from a direction (`foundation.polarity`), and from nothing else.
    A setting is of the kind of its default: yes or no, a number (within `bounds`, both ends included), one of its
    `choices`, or, where it has none, any text: a file or folder below RESTYLE_MODELS (`foundation.local_resources`).
    `version` counts changes of our own arithmetic. `aspect` is the one of a person's criteria that it stands for.
    `needs` names what a batch must hold: sources, references, styles, terms, link, and of the material texts, rated
    and style_words.
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
    aspect: Literal["style", "fluency", "meaning", "overall", "simplicity"] = "overall"

    def score(self, batch: MetricInput, **settings: object) -> Scores:
        """Scores for the batch. UserError where a setting is unknown or the batch lacks what the metric needs."""
        chosen = self.settings(**settings)
        self._require(batch)
        result = self._score(batch, chosen)
        rows = mean_statistics(result.sentences) if result.statistics is None else result.statistics
        corpus = float(self.corpus_of(exact_sums(rows)))
        why = result.undefined or ("" if math.isfinite(corpus) else NO_SENTENCE)
        signature = self._sign(chosen, batch)
        return Scores(None if why else corpus, result.sentences, dict(result.details), signature, rows, why)

    def corpus_of(self, sums: Floats) -> Floats:
        """The corpus scores (...) of statistics that are summed over sentences (..., k); here the sentences' mean.

        Sums over no sentence at all have no meaning: what comes then is finite or NaN, without a warning.
        """
        return ratio_of(sums[..., 0], sums[..., 1])

    def unavailable(self, **settings: object) -> str:
        """Why this machine cannot compute it under these settings, as a sentence that says what to install; "" where
        it can."""
        return ""

    def signature(self, **settings: object) -> str:
        """What is computed under these settings, as 'key:value|key:value'; a batch's own says `nrefs` as well."""
        return self._sign(self.settings(**settings), None)

    def settings(self, **settings: object) -> dict[str, Setting]:
        """All settings, the defaults filled in. UserError names the key and what is expected."""
        chosen = dict(self.defaults)
        for key, value in settings.items():
            chosen[key] = self._checked(key, value)
        return chosen

    @abstractmethod
    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        """The scores of a batch that holds at least one output and all that the metric needs.

        A sentence's are the same to the last digit whatever outputs stand beside it and wherever it stands: two systems
        that wrote the same are tied.
        A metric whose corpus score is not the mean of its sentences gives `statistics` too, and has its `corpus_of`.
        """

    @abstractmethod
    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        """The metric's own parts of the signature: case, tokenizer, library and its version."""

    def _sign(self, chosen: Mapping[str, Setting], batch: MetricInput | None) -> str:
        parts = {"metric": self.name}
        if batch is not None and "references" in self.needs:
            parts["nrefs"] = batch.reference_count()
        parts |= self._signed(chosen) | {"restyle": f"{self.name}.{self.version}"}
        return "|".join(f"{key}:{value}" for key, value in parts.items())

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
    found: Floats = np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=np.asarray(bottom != 0))
    return found


def exact_sums(rows: Floats) -> Floats:
    """The sum of each column of (n, k), the same in whatever order the rows stand."""
    return np.array([math.fsum(column) for column in rows.T], dtype=np.float64)


def mean_statistics(sentences: Floats) -> Floats:
    """(n, 2): the score, and 1 to count it; 0 and 0 where there is none."""
    there = ~np.isnan(sentences)
    return np.column_stack((np.where(there, sentences, 0.0), there.astype(np.float64)))


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
