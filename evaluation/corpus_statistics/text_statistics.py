"""A corpus in numbers: its sentences, words, and how hard they are to read (Cao et al. 2020, Table 2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.readability.grades import coleman_liau, flesch_kincaid, gunning_fog, text_counts
from evaluation.readability.sentence_splitting import sentences
from foundation.seeds import generator

MOST = 5000
"""Texts whose readability is worked out; of more, so many are drawn."""

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
MARK = re.compile(r"[.!?]")


@dataclass(frozen=True)
class Corpus:
    """Numbers of some texts, each counted once; `grades` are FKGL, Gunning fog, Coleman-Liau and their mean.

    `drawn` says of how many texts the grades are, where that is not all.
    """

    sentences: int
    vocabulary: int
    grades: tuple[float, float, float, float] | None
    drawn: int = 0


def corpus_of(texts: Sequence[str], seed: int) -> Corpus:
    """Words are those between spaces without their punctuation, in lower case; sentences are those of `_sentences`."""
    different = list(dict.fromkeys(text for text in texts if text.strip()))
    if not different:
        return Corpus(0, 0, None)
    words = {word for text in different for word in WORD.findall(text.lower())}
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


def _may_break(text: str) -> bool:
    """Whether a full stop, or a line break, stands anywhere before the last word."""
    parts = text.rsplit(maxsplit=1)
    return "\n" in text or (len(parts) == 2 and MARK.search(parts[0]) is not None)
