"""A corpus in numbers: its sentences, words, and how hard they are to read (Cao et al. 2020, Table 2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages.pieces import WORDED, pieces
from evaluation.languages.writing import is_english, lowered, primary, writes_spaces
from evaluation.readability.grades import coleman_liau, flesch_kincaid, gunning_fog, text_counts
from evaluation.readability.sentence_splitting import sentences
from foundation.seeds import generator

MOST = 5000
"""Texts whose readability is worked out; of more, so many are drawn."""

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
MARKED_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
MARK = re.compile(r"[.!?]")
GRADES = "The grades are defined for English, and the study's language is {language}."


@dataclass(frozen=True)
class Corpus:
    """Numbers of some texts, each counted once; `grades` are FKGL, Gunning fog, Coleman-Liau and their mean.

    `drawn` says of how many texts the grades are, where that is not all; `ungraded` why there are none.
    """

    sentences: int
    vocabulary: int
    grades: tuple[float, float, float, float] | None
    drawn: int = 0
    ungraded: str = "There are no texts."


def corpus_of(texts: Sequence[str], seed: int, language: str = "") -> Corpus:
    """Words are those between spaces without their punctuation, in lower case, or the single characters of a language
    without spaces; sentences are those of FKGL, of other languages than English those of sentencex."""
    different = list(dict.fromkeys(text for text in texts if text.strip()))
    if not different:
        return Corpus(0, 0, None)
    words = {word for text in different for word in _words(lowered(text, language), language)}
    if not is_english(language):
        split = sum(len(split_sentences(text, primary(language))) for text in different)
        return Corpus(split, len(words), None, ungraded=GRADES.format(language=language))
    drawn = different
    if len(different) > MOST:
        places = generator(seed, "readability", len(different)).choice(len(different), MOST, replace=False)
        drawn = [different[place] for place in np.sort(places).tolist()]
    split = sum(len(sentences(text)) if _may_break(text) else 1 for text in different)
    counts = np.array([text_counts(text) for text in drawn], dtype=np.float64).sum(axis=0)
    if not counts[1]:
        return Corpus(split, len(words), None)
    three = [float(grade(counts)) for grade in (flesch_kincaid, gunning_fog, coleman_liau)]
    grades = (*three, sum(three) / 3)
    return Corpus(split, len(words), grades, len(drawn) if drawn is not different else 0)  # type: ignore[arg-type]


def _words(text: str, language: str) -> list[str]:
    if writes_spaces(language):
        return (WORD if is_english(language) else MARKED_WORD).findall(text)
    return [piece for piece in pieces(text, language) if WORDED.search(piece)]


def _may_break(text: str) -> bool:
    """Whether a full stop, or a line break, stands anywhere before the last word."""
    parts = text.rsplit(maxsplit=1)
    return "\n" in text or (len(parts) == 2 and MARK.search(parts[0]) is not None)
