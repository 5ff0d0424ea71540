"""The sentences of MedLane: Algorithm 1 (Luo et al. 2022, sections 3.1 and A), each word counted once.

Each of the n words counts that is an abbreviation, or whose lemma is not in the common words; a sentence is left out
where n < 10, or the count over n is above 0.5 or below 0.1.

The paper's words differ from its algorithm. In the first two the algorithm is followed, in the last one the words: they
keep more of the sentences that its authors published (see docs/selection.md):
- Section 3.1 asks for a length "greater than 10", the algorithm leaves out n < 10, so that 10 words are kept.
- Section 3.1 speaks of the ratio of abbreviations (smaller than 0.5) and the ratio of top-3000 words (greater than
  0.1); the algorithm has one ratio, of abbreviations and *un*common words together, between 0.1 and 0.5.
- Appendix A says that a word is looked up among the common ones only "if w_i is not a medical abbreviation"; the
  algorithm, there too, looks up every word, so that an abbreviation mostly counts twice. Without `abbreviations_once`
  it does here too.

Words are those of `corpora.knowledge.words.words`: punctuation counts for none, and neither does `[**...**]`.
"""

from typing import Any, NamedTuple

from corpora.knowledge import abbreviations, common_words, lemmas, words
from corpora.knowledge.abbreviations import Abbreviations
from corpora.selection_rules._base import KEPT, Judge, Selection, Settings, Verdict, share, whole
from foundation.errors import UserError
from foundation.papers import MEDLANE
from foundation.text_keys import DEIDENTIFIED

MOST_KEPT = 200_000  # words, so that memory stays flat


class Counts(NamedTuple):
    """How many words a sentence has, how many are abbreviations, and how many have an uncommon lemma."""

    words: int
    abbreviations: int
    uncommon: int


class Medlane(Selection):
    label = "MedLane"
    about = "At least 10 words, of which abbreviations and uncommon words are a tenth to a half (Algorithm 1)."
    paper = MEDLANE
    defaults = {"shortest": 10, "least": 0.1, "most": 0.5, "abbreviations_once": True}

    def _checked(self, settings: dict[str, Any]) -> dict[str, Any]:
        least, most = share(settings, "least"), share(settings, "most")
        if most < least:
            raise UserError("The highest ratio is below the lowest one.", where="most")
        if not isinstance(settings["abbreviations_once"], bool):
            raise UserError("Give true or false.", where="abbreviations_once")
        shortest = whole(settings, "shortest", least=1)
        return {**settings, "shortest": shortest, "least": least, "most": most}

    def keep(self, text: str, settings: Settings, score: float | None = None) -> Verdict:
        return _verdict(counts(text, once=settings["abbreviations_once"]), settings)

    def judge(self, settings: Settings) -> Judge:
        lists, once = Lists(common_words.load(), abbreviations.load()), settings["abbreviations_once"]
        return lambda text, score: _verdict(lists.counts(text, once=once), settings)


def _verdict(counted: Counts, settings: Settings) -> Verdict:
    if counted.words < settings["shortest"]:
        return Verdict(False, "too_short")
    ratio = (counted.uncommon + counted.abbreviations) / counted.words
    if ratio > settings["most"]:
        return Verdict(False, "too_hard")
    return Verdict(False, "too_plain") if ratio < settings["least"] else KEPT


class Lists:
    """Both lists as they were read, with what they say of each word that was met."""

    def __init__(self, common: frozenset[str], known: Abbreviations) -> None:
        self._common, self._known = common, known
        self._kinds: dict[str, tuple[bool, bool]] = {}

    def counts(self, text: str, *, once: bool = False) -> Counts:
        """The counts of Algorithm 1 for one sentence; with `once`, an abbreviation is not an uncommon word besides."""
        found = words.words(DEIDENTIFIED.sub(" ", text) if "[**" in text else text)
        kinds = [self._kinds.get(word) or self._kind(word) for word in found]
        uncommon = sum(rare and not (once and short) for short, rare in kinds)
        return Counts(len(found), sum(short for short, _ in kinds), uncommon)

    def _kind(self, word: str) -> tuple[bool, bool]:
        """(whether it is an abbreviation, whether its lemma is uncommon)."""
        if len(self._kinds) >= MOST_KEPT:
            self._kinds.clear()
        kind = self._known.holds(word, self._common), lemmas.lemma(word) not in self._common
        self._kinds[word] = kind
        return kind


def counts(text: str, *, once: bool = False) -> Counts:
    """The counts of one sentence by the lists at hand."""
    return Lists(common_words.load(), abbreviations.load()).counts(text, once=once)


SELECTION = Medlane()
