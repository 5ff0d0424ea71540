"""A corpus in numbers: its sentences, words, and how hard they are to read (Cao et al. 2020, Table 2)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages import WORDED, is_english, lowered, pieces, primary, writes_spaces
from evaluation.ngrams.punkt import punkt_splitter
from evaluation.readability.grades import coleman_liau, flesch_kincaid, gunning_fog, text_counts

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
MARKED_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
MARK = re.compile(r"[.!?]")
GRADES = "The grades are defined for English, and the study's language is {language}."


@dataclass(frozen=True)
class Corpus:
    """Numbers of some texts; `grades` are FKGL, Gunning fog, Coleman-Liau and their mean, or `ungraded` why not."""

    sentences: int
    vocabulary: int
    grades: tuple[float, float, float, float] | None
    ungraded: str = "There are no texts."


def corpus_of(texts: Sequence[str], language: str = "") -> Corpus:
    """Each text counts as often as it stands there. Words are those between spaces without their punctuation, in lower
    case, or the single characters of a language without spaces; sentences are NLTK's where its parameters are here
    (`punkt`), else those of FKGL; of other languages than English those of sentencex."""
    times = Counter(text for text in texts if text.strip())
    if not times:
        return Corpus(0, 0, None)
    words = {word for text in times for word in _words(lowered(text, language), language)}
    if not is_english(language):
        split = sum(n * len(split_sentences(text, primary(language))) for text, n in times.items())
        return Corpus(split, len(words), None, GRADES.format(language=language))
    counts = np.array([text_counts(text) for text in times], dtype=np.float64)
    if punkt := punkt_splitter():
        counts[:, 0] = [len(punkt(text)) if _may_break(text) else 1 for text in times]
    sums = counts.T @ np.array(list(times.values()), dtype=np.float64)
    if not sums[1]:
        return Corpus(int(sums[0]), len(words), None)
    three = [float(grade(sums)) for grade in (flesch_kincaid, gunning_fog, coleman_liau)]
    return Corpus(int(sums[0]), len(words), (*three, sum(three) / 3))  # type: ignore[arg-type]


def _words(text: str, language: str) -> list[str]:
    if writes_spaces(language):
        return (WORD if is_english(language) else MARKED_WORD).findall(text)
    return [piece for piece in pieces(text, language) if WORDED.search(piece)]


def _may_break(text: str) -> bool:
    """Whether a full stop, or a line break, stands anywhere before the last word."""
    parts = text.rsplit(maxsplit=1)
    return "\n" in text or (len(parts) == 2 and MARK.search(parts[0]) is not None)
