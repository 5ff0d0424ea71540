"""TER with TERp's stem and synonym matching (Snover et al. 2009): a form or synonym of the right word is no edit."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_

import numpy as np

from evaluation.edit_distance.alignment import Alignment, Bits, align, edit_distance
from evaluation.edit_distance.shift_search import Shift, best_shift, edits_with_shifts
from evaluation.metrics._base import Floats, Metric, MetricInput, Result, Setting
from evaluation.metrics.ter import Setup, rate, signed_tercom, spelled, tercom
from evaluation.word_matching.stems import stemmer, stemmer_version
from evaluation.word_matching.wordnet import WORDNET_MISSING, WordNet, wordnet, wordnet_folder
from foundation.errors import UserError
from foundation.papers import Paper

Kin = Callable[[str], Sequence[object]]


class Terp(Metric):
    """TER, but words also match if they have one stem (Porter's) or share a sense in WordNet, as in TERp.

    Of TERp it has: matches by stem and by synonym, which cost nothing (as in its TERp-A), shifts of words that match
    so, and Tercom's tokens. It does not have: the table of paraphrases, the costs tuned on people's judgements (every
    other edit and a shift cost 1 here), the list of words that are not shifted alone, and the cap at 100. Shifts are
    searched for as in `ter`, without a beam. Of 300 sentences the authors' program, set to the same, gave 290 the same
    edits; it splits initials and dates otherwise, and finds other shifts now and then. Higher is worse.
    """

    name = "terp"
    label = "TER, stems and synonyms"
    paper = Paper(
        "Snover, Madnani, Dorr and Schwartz",
        2009,
        "Fluency, Adequacy, or HTER? Exploring Different Human Judgments with a Tunable MT Metric",
        "https://aclanthology.org/W09-0441/",
    )
    unit = "0 and up, edits per 100 words"
    needs = frozenset({"references"})
    higher_is_better = False
    defaults = {"lowercase": True, "normalized": True, "no_punct": False, "stems": True, "synonyms": True}

    def unavailable(self, **settings: object) -> str:
        return WORDNET_MISSING if self.settings(**settings)["synonyms"] and wordnet_folder() is None else ""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        setup = (bool(chosen["lowercase"]), bool(chosen["normalized"]), bool(chosen["no_punct"]))
        kin = _kin(bool(chosen["stems"]), bool(chosen["synonyms"]))
        rows = [
            _counts(output, references, setup, kin)
            for output, references in zip(batch.outputs, batch.references, strict=True)
        ]
        counts = np.array(rows, dtype=np.float64)
        number, length = counts.sum(axis=0)
        return Result(rate(counts), {"edits": float(number), "reference_length": float(length)}, counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """As TER's, of edits and the references' length."""
        return rate(sums)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        place = wordnet_folder() if chosen["synonyms"] else None
        return {
            **signed_tercom(chosen),
            "stem": f"porter-{stemmer_version()}" if chosen["stems"] else "no",
            "synonyms": f"wordnet-{wordnet(place).version}" if place else ("wordnet" if chosen["synonyms"] else "no"),
            "paraphrases": "no",
            "costs": "1",
        }


def _kin(stems: bool, synonyms: bool) -> Kin:
    """From a word to all that makes two words match: itself, its stem and its senses."""
    known: WordNet | None = None
    if synonyms:
        place = wordnet_folder()
        if place is None:
            raise UserError(WORDNET_MISSING, where="metrics.terp.synonyms")
        known = wordnet(place)
    stem = stemmer() if stems else None

    def kin(word: str) -> list[object]:
        found: list[object] = [word]
        if stem is not None:
            found.append(("stem", stem(word)))
        if known is not None:
            found += known.synsets(word)
        return found

    return kin


def _counts(output: str, references: Sequence[str], setup: Setup, kin: Kin) -> tuple[int, float]:
    """Edits to the nearest reference, and the references' mean length."""
    said, wanted = tercom(output, setup), [tercom(reference, setup) for reference in references]
    letters, *_ = spelled(said)
    near = sorted((Alike(said, letters, one, kin) for one in wanted), key=lambda each: each.floor)
    fewest = sys.maxsize
    for distance in near:
        fewest = min(fewest, edits_with_shifts(letters, distance.end, distance, fewest))
    return fewest, sum(map(len, wanted)) / len(wanted)


class Alike:
    """Words match where they have a stem or a sense in common, which two that match a third need not."""

    def __init__(self, output: Sequence[str], letters: str, reference: Sequence[str], kin: Kin) -> None:
        self.end = len(reference)
        places: dict[object, int] = {}
        for at, word in enumerate(reference):
            for one in kin(word):
                places[one] = places.get(one, 0) | 1 << at
        said = dict(zip(letters, output, strict=True))
        self.bits: Bits = {letter: _any(places.get(one, 0) for one in kin(word)) for letter, word in said.items()}
        matching = [self.bits[letter] for letter in letters if self.bits[letter]]
        self.floor = max(len(output), self.end) - min(len(matching), _any(matching).bit_count())

    def aligned(self, output: str) -> tuple[int, Alignment]:
        return self._far(output), align(output, self.end, self.bits)

    def best(self, shifts: list[Shift], now: int) -> tuple[int, str]:
        return best_shift([(now - self._far(shift.output), shift) for shift in shifts])

    def _far(self, output: str) -> int:
        return edit_distance(output, self.end, self.bits) if self.end else len(output)


def _any(bits: Iterable[int]) -> int:
    return reduce(or_, bits, 0)


METRIC = Terp()
