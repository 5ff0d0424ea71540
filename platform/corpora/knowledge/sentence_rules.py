"""Where an English sentence goes on after a full stop, and where it ends although the last word is an abbreviation."""

import re
from collections.abc import Iterator

# After these a sentence always goes on.
LEADS = (
    "dr drs mr mrs ms prof sr rev hon gen col capt lt sgt rn vs e.g i.e eg ie cf viz approx ca incl esp resp "
    "fig figs eq sec ch vol pp"
)
# After these it goes on where a number follows.
BEFORE_NUMBER = (
    "no nos nr cr bun wbc rbc hgb hct plt inr na cl po wt ht temp bp hr rr ef max min avg ext rm dept p.o i.v a.m p.m"
)
# After these it goes on where a small letter follows.
CLINICAL = (
    "hx pmh pmhx fhx shx dx ddx rx tx sx fx abd ext neuro pulm gen hosp adm disch bilat lat ant post sup inf abnl nl "
    "wnl neg pos tab tabs cap caps inj susp soln oint st mt ft jr"
)
# After these it goes on unless a word follows that begins sentences.
PERSONS = "pt pts"
STARTERS = (
    "the he she it they we i you his her their its our this that these those there here patient patients pt "
    "on in at after before when while during since if as for from with no not all was were is are has had have "
    "will please also however although because given upon by of to mr mrs ms dr "
    "denies denied reports reported started received transferred noted found underwent continued discharged admitted "
    "presented complains complained"
)

_LEADS, _NUMBER, _CLINICAL = set(LEADS.split()), set(BEFORE_NUMBER.split()), set(CLINICAL.split())
_PERSONS, _STARTERS = set(PERSONS.split()), set(STARTERS.split())

LAST_WORD = re.compile(r"(?<![A-Za-z./])[./]*([A-Za-z][A-Za-z./]*)\.$")
FIRST_WORD = re.compile(r"[(\"']*([A-Za-z]+)")
ITEM_NUMBER = re.compile(r"(?:^|[:;.,!?]\s+)\(?\d{1,2}\.$")
FIRST_ITEM = re.compile(r"\b(?:is|are|on|with|following|including)\s+\(?1\.$")
# A dose ends its sentence where a capital opens one of the words that begin sentences: 'p.o. The patient'.
DOTTED_END = re.compile(r"(?<![\w.])(?!(?:e\.g|i\.e)\.)(?:[A-Za-z]\.){2,}[)\"']?\s+(?=([A-Z][a-z]*)\b)")
# 'hepatitis C. Higher doses': the letter is no initial.
LETTER_END = re.compile(
    r"\b(?:hepatitis|[Vv]itamin|[Tt]ype|[Gg]roup|[Cc]lass|[Ff]actor|[Pp]art) [A-K]\.\s+(?=[A-Z][a-z])"
)


def goes_on(before: str, after: str) -> bool:
    """Whether the sentence that `before` ends with a full stop goes on in `after`, though a splitter cut there."""
    stripped = before[-60:].rstrip()
    if not stripped.endswith("."):
        return False
    if ITEM_NUMBER.search(stripped) or (FIRST_ITEM.search(stripped) and not _begins(after)):
        return True
    found = LAST_WORD.search(stripped)
    return found is not None and _abbreviates(found[1].lower(), after)


def _abbreviates(word: str, after: str) -> bool:
    return (
        word in _LEADS
        or (word in _NUMBER and after[:1].isdigit())
        or (word in _CLINICAL and after[:1].islower())
        or (word in _PERSONS and not _begins(after))
    )


def _begins(after: str) -> bool:
    first = FIRST_WORD.match(after)
    return first is not None and first[1][0].isupper() and first[1].lower() in _STARTERS


def missed(text: str) -> Iterator[int]:
    """Where a sentence begins that a splitter leaves joined to an abbreviation before it."""
    for found in DOTTED_END.finditer(text):
        if found[1].lower() in _STARTERS and found[1] != "I":
            yield found.end()
    for found in LETTER_END.finditer(text):
        yield found.end()
