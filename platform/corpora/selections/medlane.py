"""The sentences of MedLane: Algorithm 1 (Luo et al. 2022, sections 3.1 and A), as it is printed.

Each of the n words that is an abbreviation counts, and each whose lemma is not in the common words counts, an
abbreviation thus often twice; a sentence is left out where n < 10, or the count over n is above 0.5 or below 0.1.

The paper's words differ from its algorithm, and the algorithm is followed:
- Section 3.1 asks for a length "greater than 10", the algorithm leaves out n < 10, so that 10 words are kept.
- Section 3.1 speaks of the ratio of abbreviations (smaller than 0.5) and the ratio of top-3000 words (greater than
  0.1); the algorithm has one ratio, of abbreviations and *un*common words together, between 0.1 and 0.5.
- Appendix A says that a word is looked up among the common ones only "if w_i is not a medical abbreviation"; the
  algorithm, there too, looks up every word. `abbreviations_once` follows the appendix's words.

Words are those of `corpora.knowledge.words.words`: punctuation counts for none, and neither does `[**...**]`.
"""

import re
from typing import Any, NamedTuple

from corpora.knowledge import abbreviations, common_words, lemmas, words
from corpora.selections._base import KEPT, Selection, Settings, Verdict, share, whole
from foundation.errors import UserError
from foundation.papers import MEDLANE

DEIDENTIFIED = re.compile(r"\[\*\*.*?\*\*\]", re.DOTALL)


class Counts(NamedTuple):
    """How many words a sentence has, how many are abbreviations, and how many have an uncommon lemma."""

    words: int
    abbreviations: int
    uncommon: int


class Medlane(Selection):
    label = "MedLane"
    about = "At least 10 words, of which abbreviations and uncommon words are a tenth to a half (Algorithm 1)."
    paper = MEDLANE
    defaults = {"shortest": 10, "least": 0.1, "most": 0.5, "abbreviations_once": False}

    def _checked(self, settings: dict[str, Any]) -> dict[str, Any]:
        least, most = share(settings, "least"), share(settings, "most")
        if most < least:
            raise UserError("The highest ratio is below the lowest one.", where="most")
        if not isinstance(settings["abbreviations_once"], bool):
            raise UserError("Give true or false.", where="abbreviations_once")
        shortest = whole(settings, "shortest", least=1)
        return {**settings, "shortest": shortest, "least": least, "most": most}

    def keep(self, text: str, settings: Settings, score: float | None = None) -> Verdict:
        counted = counts(text, once=settings["abbreviations_once"])
        if counted.words < settings["shortest"]:
            return Verdict(False, "too_short")
        ratio = (counted.uncommon + counted.abbreviations) / counted.words
        if ratio > settings["most"]:
            return Verdict(False, "too_hard")
        return Verdict(False, "too_plain") if ratio < settings["least"] else KEPT


def counts(text: str, *, once: bool = False) -> Counts:
    """The counts of Algorithm 1 for one sentence; with `once`, an abbreviation is not an uncommon word besides."""
    common, known = common_words.load(), abbreviations.load()
    found = words.words(DEIDENTIFIED.sub(" ", text))
    short = [known.holds(word, common) for word in found]
    uncommon = [lemmas.lemma(word) not in common for word in found]
    if once:
        uncommon = [rare and not is_short for rare, is_short in zip(uncommon, short, strict=True)]
    return Counts(len(found), sum(short), sum(uncommon))


SELECTION = Medlane()
