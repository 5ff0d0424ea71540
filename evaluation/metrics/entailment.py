"""Whether a text follows from its source, by sentences: SummaC (Laban et al. 2022), AlignScore (Zha et al. 2023)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from corpora.knowledge.sentences import split
from evaluation.languages import primary
from evaluation.learned_scorers import estimators
from evaluation.metrics._base import Floats, MetricInput, ModelMetric, Scores, Setting
from evaluation.ngrams import punkt_splitter, sentence_rules
from foundation.errors import UserError
from foundation.papers import Paper

FOLLOWS, CONTRADICTS = ("entail", "support", "align"), ("contra", "refut")
NO_LABEL = "The model's labels are {labels}: none of them says that a text follows from another."
FEWEST = 10  # characters: SummaC's program drops shorter sentences
MOST_SENTENCES, MOST_TOKENS = 100, 500  # of a source, and of a pair, as there
CHUNK = 350  # words of a source that AlignScore reads at once
# The bins of SummaC-Conv's released weights: percentiles of chances on many summaries.
BINS = [
    0.0, 0.01, 0.02, 0.03, 0.04, 0.07, 0.13, 0.37, 0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.955, 0.96, 0.965, 0.97,
    0.975, 0.98, 0.985, 0.99, 0.995, 1.0,
]  # fmt: skip
ROWS = 10  # sentences of an output that SummaC-Conv reads
CONV = "conv.safetensors"


@dataclass(frozen=True)
class Reading:
    """How texts are read: their sentences, and the chances that the second of two follows from, contradicts the first.

    `folder` is the model's.
    """

    sentences: Callable[[str], list[str]]
    chances: Callable[[str, str], tuple[float, float]]
    folder: Path


class Entailment(ModelMetric):
    """The chances that sentences of an output follow from parts of its source, put together by a subclass."""

    needs = frozenset({"sources"})
    higher_is_better = True
    aspect = "content"
    version = 2
    most = 0

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        folder = self.folder(chosen)
        model = estimators.load_headed(folder)
        follows, contradicts = labels_of(model)

        def chances(text: str, other: str) -> tuple[float, float]:
            logits = model.logits(text, other, most=self.most)
            found = np.exp(logits - logits.max())
            found /= found.sum()
            return float(found[follows]), float(found[contradicts]) if contradicts is not None else 0.0

        read = Reading(splitter(batch.language), chances, folder)
        return self.of_each(batch, lambda at: self._of(batch.sources[at], batch.outputs[at], read))

    def _of(self, source: str, output: str, read: Reading) -> float:
        """The score of one output."""
        raise NotImplementedError

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return super()._signed(chosen) | {"sents": sentence_rules(str(chosen["language"]))}


class SummacZs(Entailment):
    """SummaC-ZS by sentences: of each of the output's the greatest chance that a sentence of the source entails it less
    the greatest that one contradicts it, and the mean of these. Sentences of at most 10 characters are dropped, as in
    the authors' program; without any other the score is 0.
    """

    name = "summac_zs"
    label = "SummaC-ZS"
    paper = Paper("Laban, Schnabel, Bennett and Hearst", 2022, "SummaC: Re-Visiting NLI-based Models for Inconsistency",
                  "https://doi.org/10.1162/tacl_a_00453")  # fmt: skip
    unit = "-1 to 1"
    most = MOST_TOKENS

    def _of(self, source: str, output: str, read: Reading) -> float:
        first, second = ([one for one in read.sentences(text) if len(one) > FEWEST] for text in (source, output))
        if not first or not second:
            return self._whole(np.zeros((1, 1, 2)), read.folder)
        return self._whole(
            np.array([[read.chances(a, b) for b in second] for a in first[:MOST_SENTENCES]]), read.folder
        )

    def _whole(self, table: Floats, folder: Path) -> float:
        """The score of the chances (sentences of the source, of the output, 2)."""
        best = table.max(axis=0)
        return float(np.mean(best[:, 0] - best[:, 1]))


class SummacConv(SummacZs):
    """SummaC-Conv: of each of the output's first ten sentences a histogram of the chances that a sentence of the source
    entails it, which a layer of the released weights makes a number of; of the mean of these a second one makes the
    score. `conv.safetensors` in the model's folder has both.
    """

    name = "summac_conv"
    label = "SummaC-Conv"
    unit = "0 to 1"

    def _whole(self, table: Floats, folder: Path) -> float:
        weights = _convolution(folder)
        counts = np.array([np.histogram(column, bins=BINS)[0] for column in table[:, :, 0].T[:ROWS]], dtype=np.float64)
        rows = counts @ weights["mlp.weight"][0] + weights["mlp.bias"][0]
        logits = weights["layer_final.weight"] @ np.full(3, rows.mean()) + weights["layer_final.bias"]
        return float(1 / (1 + np.exp(logits[0] - logits[1])))


class AlignScore(Entailment):
    """The chance of AlignScore's head of three labels that each sentence of the output is aligned with some part of the
    source of about 350 words, the greatest; the mean over sentences (its `nli_sp`).
    """

    name = "alignscore"
    label = "AlignScore"
    paper = Paper(
        "Zha, Yang, Li and Hu", 2023, "AlignScore: Evaluating Factual Consistency with a Unified Alignment Function",
        "https://aclanthology.org/2023.acl-long.634/",
    )  # fmt: skip
    unit = "0 to 1"

    def _of(self, source: str, output: str, read: Reading) -> float:
        parts = read.sentences(source) or [""]
        size = max(len(parts) // (len(source.split()) // CHUNK + 1), 1)
        chunks = [" ".join(parts[start : start + size]) for start in range(0, len(parts), size)]
        best = [max(read.chances(chunk, one)[0] for chunk in chunks) for one in read.sentences(output)]
        return float(np.mean(best)) if best else float("nan")


def labels_of(model: estimators.Headed) -> tuple[int, int | None]:
    """The places of the labels that say that a text follows, and that it contradicts (None: there is none).

    Raises:
        UserError: No label says that a text follows.
    """
    places = [
        next((int(at) for at, label in model.labels.items() if str(label).lower().startswith(kind)), None)
        for kind in (FOLLOWS, CONTRADICTS)
    ]
    if places[0] is None:
        raise UserError(NO_LABEL, labels=", ".join(map(str, model.labels.values())))
    return places[0], places[1]


def splitter(language: str) -> Callable[[str], list[str]]:
    """Punkt's sentences, where its parameters are there, as in the authors' programs; else ours."""
    return punkt_splitter() or (lambda text: split(text, primary(language)))


@lru_cache(maxsize=1)
def _convolution(folder: Path) -> dict[str, Floats]:
    from safetensors.numpy import load_file

    if not (folder / CONV).is_file():
        raise UserError(estimators.NO_STATE, folder=folder.name, file=CONV)
    return {name: tensor.astype(np.float64) for name, tensor in load_file(folder / CONV).items()}


ENTRIES = {"summac_zs": SummacZs(), "summac_conv": SummacConv(), "alignscore": AlignScore()}
