"""Which documents of two styles are versions of one text, and what their sections stand for (MSD, section 3.1)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

# What section titles usually stand for, in small letters, as a first mapping that the researcher edits.
USUAL_ELEMENTS = {
    "Symptoms": ("symptoms", "signs", "symptoms and signs", "signs and symptoms", "clinical presentation",
                 "clinical features", "manifestations"),
    "Diagnosis": ("diagnosis", "evaluation", "testing", "tests", "screening", "differential diagnosis"),
    "Treatment": ("treatment", "treatments", "therapy", "management", "drugs", "surgery"),
    "Prognosis": ("prognosis", "outlook", "course", "complications"),
    "Causes": ("causes", "cause", "etiology", "aetiology", "risk factors"),
    "Pathophysiology": ("pathophysiology", "pathogenesis", "pathology"),
    "Prevention": ("prevention", "prophylaxis", "vaccination"),
    "Epidemiology": ("epidemiology", "incidence"),
    "Classification": ("classification", "types", "staging"),
}  # fmt: skip
_ELEMENT = {title: element for element, titles in USUAL_ELEMENTS.items() for title in titles}


@dataclass(frozen=True)
class Version:
    """A document as it is matched: its key, title and subject codes (ICD)."""

    pk: int
    title: str
    codes: frozenset[str]


@dataclass(frozen=True)
class Matched:
    """The pairs, and the keys of those that fit nothing or more than one."""

    pairs: list[tuple[int, int]]
    unlinked: list[int]
    ambiguous: list[int]


def match_versions(sources: Iterable[Version], targets: Iterable[Version]) -> Matched:
    """Pairs of equal title (case aside) that share a code where both have codes.

    Of several with one title, those that share a code are the ones; where more than one is left on either side, none
    is linked and all of them are ambiguous.
    """
    by_title: dict[str, tuple[list[Version], list[Version]]] = defaultdict(lambda: ([], []))
    for side, versions in enumerate((sources, targets)):
        for version in versions:
            by_title[_title(version)][side].append(version)
    pairs, unlinked, ambiguous = [], list[int](), list[int]()
    for title, (left, right) in by_title.items():
        onward = {one.pk: _fitting(one, right) if title else [] for one in left}
        back = {one.pk: _fitting(one, left) if title else [] for one in right}
        found = [(pk, only[0]) for pk, only in onward.items() if len(only) == 1 and back[only[0]] == [pk]]
        linked = {pk for pair in found for pk in pair}
        pairs += found
        for pk, fitting in (onward | back).items():
            if pk not in linked:
                (ambiguous if fitting else unlinked).append(pk)
    return Matched(pairs, unlinked, ambiguous)


def _title(one: Version) -> str:
    return _folded(one.title)


def _fitting(one: Version, others: Iterable[Version]) -> list[int]:
    """Those that share a code; where none does, those that have no codes to compare."""
    others = list(others)
    sharing = [other.pk for other in others if one.codes & other.codes]
    return sharing or [other.pk for other in others if not (one.codes and other.codes)]


def usual_element(section: str) -> str:
    """The medical element that a section title usually stands for; "" where that is not known."""
    return _ELEMENT.get(_folded(section).rstrip(": "), "")


def _folded(title: str) -> str:
    """A title as it is matched: typesetters choose its capitals and spaces, and they say nothing of what it names."""
    return " ".join(title.casefold().split())
