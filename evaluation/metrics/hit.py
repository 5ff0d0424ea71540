"""HIT, the hit ratio of MedLane (Luo et al. 2022, section 5.1): the share of a sentence's terms that are put right."""

import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np
import regex

from evaluation.languages import lowered, writes_spaces
from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.papers import MEDLANE
from foundation.word_diff import words

WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
PAPER, PROGRAM = LIKE = ("paper", "program")
NO_TERMS = "No reference has the full forms of terms in brackets."


class Hit(Metric):
    """n_t / n_p: of the n_p full forms in brackets of a reference line, the n_t that stand in the output.

    Of several lines the best counts; a line without brackets says nothing, and a sentence without any has no score.
    A form is found where its words follow each other in the output, in any case and with any punctuation or none
    between ('non-ST-elevation', 'non ST elevation'); word for word, so 'liver' is not found in 'delivery'. A word of
    the output counts for one form only: a form that stands twice must be found twice.

    The corpus score is the mean of the sentences'.

    With `like = "program"` it is what the authors' program gives (count_hit of bleu_eval_new.py): a form is found
    anywhere in the output's tokens, in small letters, also within a word, and counts once a line; and a sentence of
    which one line has no brackets has 1, whatever the output says. So a source that is copied has 0.28 on their
    published sentences, and 0 by the paper's formula. The program takes a form for a regular expression, and one that
    stands behind two abbreviations of a line for two; here it is a text, and one.
    """

    name = "hit"
    label = "HIT"
    paper = MEDLANE
    unit = "0 to 1"
    needs = frozenset({"terms"})
    higher_is_better = True
    aspect = "meaning"
    defaults: Mapping[str, Setting] = {"like": PAPER}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        lines = batch.terms or [[] for _ in batch.outputs]
        by_program = chosen["like"] == PROGRAM
        best = by_program_line if by_program else best_line
        pairs = [best(output, each, batch.language) for output, each in zip(batch.outputs, lines, strict=True)]
        hits, terms = np.array(pairs, dtype=np.float64).T
        sentences = np.divide(hits, terms, out=np.full(len(pairs), np.nan), where=terms > 0)
        if by_program:
            sentences[[not all(each) for each in lines]] = 1.0
        details = {"found": float(hits.sum()), "terms": float(terms.sum()), "sentences": float((terms > 0).sum())}
        return Result(sentences, details, undefined="" if np.isfinite(sentences).any() else NO_TERMS)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        match = "words" if writes_spaces(str(chosen["language"])) else "characters"
        if chosen["like"] == PROGRAM:
            parts = {"like": PROGRAM, "case": "lc", "match": "anywhere", "unmarked": "1"}
        else:
            parts = {"case": "lc", "match": match}
        return parts | {"lines": "best", "corpus": "mean"}


def best_line(output: str, lines: Sequence[Sequence[str]], language: str = "") -> tuple[int, int]:
    """(found, terms) of the line with the greatest share, of equal ones the line with more terms; (0, 0) without."""
    said = _words(output, language)
    split = [[form for text in line if (form := _words(text, language))] for line in lines]
    counted = [(_found(said, forms), len(forms)) for forms in split if forms]
    return max(counted, key=lambda pair: (pair[0] / pair[1], pair[1]), default=(0, 0))


def by_program_line(output: str, lines: Sequence[Sequence[str]], language: str = "") -> tuple[int, int]:
    """(found, terms) of the line with the greatest share, as the authors' program finds forms; (0, 0) without."""
    from corpora.knowledge.words import tokens  # NLTK takes 100 MB: only where something is scored

    said = f"{' '.join(tokens(lowered(output, language)))} "
    each = [{lowered(form, language) for form in line} for line in lines if line]
    counted = [(sum(form in said for form in forms), len(forms)) for forms in each]
    return max(counted, key=lambda pair: (pair[0] / pair[1], pair[1]), default=(0, 0))


def _words(text: str, language: str) -> list[str]:
    """Runs of letters and digits; single characters of a language without spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if writes_spaces(language):
        found: list[str] = WORD.findall(plain)
        return found
    return [run for word in words(plain) for run in WORD.findall(word.text)]


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
