"""TER, the translation edit rate (Snover et al. 2006): edits and shifts to the nearest reference, over its length."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from evaluation.edit_distance.alignment import Alignment, Bits, align, bits_of
from evaluation.edit_distance.beam import align_within_beam, beam, beam_distances
from evaluation.edit_distance.shift_search import Shift, best_shift, edits_with_shifts
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.ngrams.tokenizers import sacrebleu_version
from foundation.lazy_import import lazy_import
from foundation.papers import Paper

tercom_tokens = lazy_import("sacrebleu.tokenizers.tokenizer_ter")

Setup = tuple[bool, bool, bool]  # lower case, normalized, without punctuation


class Ter(Metric):
    """sacreBLEU's TER (Tercom's), times 100; lower-cased by default, as there. Its numbers, worked out faster.

    Edits are those to the nearest reference, the length is the references' mean. They are found once a sentence and
    summed for the corpus. An empty output needs one insertion a word of its shortest reference: 100 against a single
    reference. Against empty references, an output with words has 100, an empty one 0.
    """

    name = "ter"
    label = "TER"
    paper = Paper(
        "Snover, Dorr, Schwartz, Micciulla and Makhoul",
        2006,
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        "https://aclanthology.org/2006.amta-papers.25/",
    )
    unit = "0 and up, edits per 100 words"
    needs = frozenset({"references"})
    higher_is_better = False
    defaults = {"lowercase": True, "normalized": False, "no_punct": False}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        setup = (bool(chosen["lowercase"]), bool(chosen["normalized"]), bool(chosen["no_punct"]))
        counts = np.array(
            [
                _counts(tercom(output, setup), [_reference(reference, setup) for reference in references])
                for output, references in zip(batch.outputs, batch.references, strict=True)
            ],
            dtype=np.float64,
        )
        number, length = counts.sum(axis=0)
        return Result(rate(counts), {"edits": float(number), "reference_length": float(length)}, counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of edits and the references' length; without any word in the references 100, or 0 where nothing is edited."""
        return rate(sums)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return signed_tercom(chosen)


def tercom(text: str, setup: Setup) -> list[str]:
    """The words as Tercom's tokenizer has them."""
    found: list[str] = _tokenizer(setup)(text.rstrip()).split()
    return found


def _reference(text: str, setup: Setup) -> list[str]:
    """As sacreBLEU has it: it tokenizes references twice, which tells where texts are `normalized` ("1980's.")."""
    once = tercom(text, setup)
    return tercom(" ".join(once), setup) if setup[1] else once


def rate(counts: Floats) -> Floats:
    """(..., 2) edits and lengths to (...), in percent."""
    number, length = counts[..., 0], counts[..., 1]
    return np.where(length > 0, 100 * number / np.where(length > 0, length, 1), np.where(number > 0, 100.0, 0.0))


def signed_tercom(chosen: Mapping[str, Setting]) -> dict[str, str]:
    """The signature's parts for case and tokens, sacreBLEU's."""
    return {
        "case": "lc" if chosen["lowercase"] else "mixed",
        "tok": "tercom",
        "norm": "yes" if chosen["normalized"] else "no",
        "punct": "no" if chosen["no_punct"] else "yes",
        "asian": "no",
        "lib": f"sacrebleu-{sacrebleu_version()}",
    }


def spelled(*texts: Sequence[str]) -> list[str]:
    """The texts with a character for each different word."""
    letters: dict[str, str] = {}
    return ["".join(letters.setdefault(word, chr(len(letters))) for word in text) for text in texts]


@lru_cache(maxsize=8)
def _tokenizer(setup: Setup) -> Any:
    lower, normalized, no_punct = setup
    return tercom_tokens.TercomTokenizer(normalized=normalized, no_punct=no_punct, case_sensitive=not lower)


def _counts(output: list[str], references: Sequence[list[str]]) -> tuple[int, float]:
    """Edits to the nearest reference, and the references' mean length."""
    said, *wanted = spelled(output, *references)
    fewest = sys.maxsize
    for distance in sorted((Plain(said, one) for one in wanted), key=lambda each: each.floor):
        fewest = min(fewest, edits_with_shifts(said, len(distance.reference), distance, fewest))
    return fewest, sum(map(len, wanted)) / len(wanted)


class Plain:
    """Words match where they are equal; long texts are compared within sacreBLEU's beam."""

    def __init__(self, output: str, reference: str) -> None:
        self.reference = reference
        self.bits: Bits = bits_of(reference)
        self.floor = max(len(output), len(reference)) - (Counter(output) & Counter(reference)).total()
        self._plain_below = beam(len(output), len(reference)).plain_below

    def aligned(self, output: str) -> tuple[int, Alignment]:
        now = Levenshtein.distance(output, self.reference)
        if now < self._plain_below:
            return now, align(output, len(self.reference), self.bits)
        return align_within_beam(output, self.reference)

    def best(self, shifts: list[Shift], now: int) -> tuple[int, str]:
        """Within the beam a distance is at least the plain one, so only those that this leaves are worked out."""
        plain = [(Levenshtein.distance(shift.output, self.reference), shift) for shift in shifts]
        sure = [(now - far, shift) for far, shift in plain if far < min(now, self._plain_below)]
        if sure or now <= self._plain_below:
            return best_shift(sure)
        left = [shift for far, shift in plain if far < now]
        if not left:
            return 0, ""
        within = beam_distances([shift.output for shift in left], self.reference)
        return best_shift([(now - far, shift) for far, shift in zip(within, left, strict=True)])


METRIC = Ter()
