"""The sentences of GYAFC (Rao and Tetreault 2018, section 3.1).

No questions, no URLs, 5 to 25 words; "sentences with a score less than 0 are considered as informal and sentences
with a score greater than 0 are considered as formal", so that one of exactly 0 is neither.
"""

from typing import Any

from corpora.knowledge import identifiers, words
from corpora.selection_rules._base import KEPT, Selection, Settings, Verdict, whole
from foundation.errors import UserError
from foundation.papers import GYAFC

SIDES = ("informal", "formal", "any")


class Gyafc(Selection):
    label = "GYAFC"
    about = "No questions, no web addresses, 5 to 25 words, and on one side of the formality score where there is one."
    paper = GYAFC
    defaults = {"shortest": 5, "longest": 25, "side": "informal"}
    needs_formality = True

    def _checked(self, settings: dict[str, Any]) -> dict[str, Any]:
        shortest, longest = whole(settings, "shortest"), whole(settings, "longest", least=1)
        if longest < shortest:
            raise UserError("The longest sentence is shorter than the shortest one.", where="longest")
        if settings["side"] not in SIDES:
            raise UserError(
                "Choose one of {sides}, not {side!r}.", sides=", ".join(SIDES), side=settings["side"], where="side"
            )
        return {"shortest": shortest, "longest": longest, "side": settings["side"]}

    def keep(self, text: str, settings: Settings, score: float | None = None) -> Verdict:
        # The web address first: many hold a question mark.
        if identifiers.holds_url(text):
            return Verdict(False, "url")
        if "?" in text:
            return Verdict(False, "question")
        length = words.count_words(text)
        if length < settings["shortest"]:
            return Verdict(False, "too_short")
        if length > settings["longest"]:
            return Verdict(False, "too_long")
        return _on_side(settings["side"], score)


def _on_side(side: str, score: float | None) -> Verdict:
    if score is None or side == "any":
        return KEPT
    fits = score < 0 if side == "informal" else score > 0
    return KEPT if fits else Verdict(False, f"not_{side}")


SELECTION = Gyafc()
