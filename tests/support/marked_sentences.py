"""Sentences with terms, and rewrites as MedLane's annotators mark them: the context tells which full form is meant.

`mi` is a myocardial infarction in sentences about the heart, a mitral insufficiency in those about a valve; `nc` is a
nasal cannula by oxygen, and no change by film. Rewrites have full forms in brackets, or a layman's words instead.
"""

from itertools import product
from pathlib import Path
from typing import NamedTuple

from modelserving.training.dataset import DevSet, Pairs, TrainingData

WAY = ("clinical", "plain")
FORMS = {
    "MI": ("myocardial infarction", "mitral insufficiency"),
    "NC": ("nasal cannula", "no change"),
    "PT": ("patient",),
}
MEANT = {("heart", "mi"): "myocardial infarction", ("valve", "mi"): "mitral insufficiency",
         ("oxygen", "nc"): "nasal cannula", ("film", "nc"): "no change"}  # fmt: skip
WHO, SAID = ("pt", "she", "he"), ("had", "shows", "needs", "got")
SIMPLIFIED = ("had", "shows")  # in sentences with these words the rewrite says the following instead
PLAIN = {"myocardial infarction": "heart attack", "nasal cannula": "nose tube"}


class Made(NamedTuple):
    """A sentence, its marked rewrite, the full form that its term stands for, and where the term stands."""

    source: str
    marked: str
    meant: str
    place: int


def made() -> list[Made]:
    """All there are."""
    return [_made(*choice) for choice in product(WHO, SAID, MEANT, (False, True))]


def _made(who: str, said: str, both: tuple[str, str], late: bool) -> Made:
    context, term = both
    meant = MEANT[both]
    written = PLAIN.get(meant, f"[{meant}]") if said in SIMPLIFIED else f"[{meant}]"
    first = "[patient]" if who == "pt" else who
    if late:
        return Made(f"by {context} {who} {said} {term} .", f"by {context} {first} {said} {written} .", meant, 4)
    return Made(f"{who} {said} {term} by {context} .", f"{first} {said} {written} by {context} .", meant, 2)


def data(folder: Path, sentences: list[Made]) -> TrainingData:
    """The sentences as a training has them."""
    sources, marked = [one.source for one in sentences], [one.marked for one in sentences]
    plain = [text.replace("[", "").replace("]", "") for text in marked]
    train, dev = Pairs(sources, plain, marked), DevSet(sources[:8], [plain[:8]], [marked[:8]])
    return TrainingData(*WAY, train=train, dev=dev, dictionary=FORMS).write(folder)
