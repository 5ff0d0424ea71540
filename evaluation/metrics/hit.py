"""HIT, the hit ratio of MedLane (Luo et al. 2022, section 5.1): the share of a sentence's terms that are put right."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.papers import MEDLANE

WORD = re.compile(r"[^\W_]+")
NO_TERMS = "No reference has the full forms of terms in brackets."


class Hit(Metric):
    """n_t / n_p: of the n_p full forms in brackets of a reference line, the n_t that stand in the output.

    Of several lines the best counts; a line without brackets says nothing, and a sentence without any has no score.
    A form is found where its words follow each other in the output, in any case and with any punctuation or none
    between ('non-ST-elevation', 'non ST elevation'); word for word, so 'liver' is not found in 'delivery'. A word of
    the output counts for one form only: a form that stands twice must be found twice.

    The corpus score is the mean of the sentences', as in the authors' program, which differs in this: it searches for
    the form as a regular expression anywhere in the text, knows each abbreviation once, and gives 1 to a sentence
    that has a reference line without brackets.
    """

    name = "hit"
    label = "HIT"
    paper = MEDLANE
    unit = "0 to 1"
    needs = frozenset({"terms"})
    higher_is_better = True
    aspect = "meaning"

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        lines = batch.terms or [[] for _ in batch.outputs]
        pairs = [best_line(output, each) for output, each in zip(batch.outputs, lines, strict=True)]
        hits, terms = np.array(pairs, dtype=np.float64).T
        sentences = np.divide(hits, terms, out=np.full(len(pairs), np.nan), where=terms > 0)
        details = {"found": float(hits.sum()), "terms": float(terms.sum()), "sentences": float((terms > 0).sum())}
        return Result(sentences, details, undefined="" if terms.any() else NO_TERMS)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {"case": "lc", "match": "words", "lines": "best", "corpus": "mean"}


def best_line(output: str, lines: Sequence[Sequence[str]]) -> tuple[int, int]:
    """(found, terms) of the line with the greatest share, of equal ones the line with more terms; (0, 0) without."""
    said = _words(output)
    split = [[form for form in map(_words, line) if form] for line in lines]
    counted = [(_found(said, forms), len(forms)) for forms in split if forms]
    return max(counted, key=lambda pair: (pair[0] / pair[1], pair[1]), default=(0, 0))


def _words(text: str) -> list[str]:
    return WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _found(said: Sequence[str], forms: Sequence[list[str]]) -> int:
    """How many of the forms stand in the text, each in words of its own; the longest are looked for first."""
    left: list[str | None] = list(said)
    hits = 0
    for form in sorted(forms, key=len, reverse=True):
        size = len(form)
        start = next((i for i in range(len(left) - size + 1) if left[i : i + size] == form), None)
        if start is not None:
            left[start : start + size] = [None] * size
            hits += 1
    return hits


METRIC = Hit()
