"""The sections of a clinical note, as MIMIC-III's NOTEEVENTS writes them: a heading, a colon, and what follows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A heading begins its line and holds no full stop; its text may begin on the same line.
HEADING = re.compile(r"^[^\S\n]*([A-Za-z][A-Za-z0-9 /&,'()\-]{1,70}?)[^\S\n]*:(?=\s|$)[^\S\n]*", re.MULTILINE)
# A line in capitals is one even without a colon.
CAPITALS = re.compile(r"^[^\S\n]*((?:[A-Z][A-Z/&'-]+)(?: [A-Z/&'-]+){1,7})[^\S\n]*$", re.MULTILINE)
LONGEST_HEADING = 8  # words

# The three sections that MedLane took (section 3.1), and how notes write them.
MEDLANE_SECTIONS = {
    "history of present illness": (
        "history of present illness", "history of the present illness", "hx of present illness", "present illness",
        "hpi", "history of presenting illness",
    ),
    "brief summary of hospital course": (
        "brief summary of hospital course", "brief summary of the hospital course", "summary of hospital course",
        "brief summary hospital course",
    ),
    "brief hospital course": (
        "brief hospital course", "brief hosp course", "brief hospital course by system",
        "brief hospital course by systems", "brief hospital course by problem", "brief course",
    ),
}  # fmt: skip

# Other headings that a discharge summary has, known even where their text begins on the same line.
OTHER_HEADINGS = (
    "admission date|discharge date|date of birth|sex|service|allergies|attending|chief complaint|addendum|facility|"
    "major surgical or invasive procedure|past medical history|past surgical history|social history|family history|"
    "review of systems|physical exam|physical examination|physical exam on admission|pertinent results|labs|"
    "laboratory data|laboratory studies|hospital course|medications on admission|medications prior to admission|"
    "discharge medications|medications on discharge|discharge disposition|discharge diagnosis|discharge diagnoses|"
    "final diagnosis|discharge condition|condition at discharge|condition on discharge|discharge instructions|"
    "followup instructions|follow up instructions|disposition|impression|assessment|assessment and plan|plan|"
    "medications"
)
# Headings within a hospital course: these begin a paragraph of it, and end no section.
PARTS = (
    "neuro neurologic neurological cv cardiac cardiovascular pump rhythm ischemia pulm pulmonary resp respiratory gi "
    "gu renal fen id infectious heme hematology endo endocrine psych prophylaxis ppx code access dispo communication "
    "contact skin pain"
)


@dataclass(frozen=True)
class Section:
    """A heading as it stands in the note, without its colon ('' for what comes before the first), and its text."""

    title: str
    text: str

    @property
    def name(self) -> str:
        """The name by which MedLane's paper calls the section, in small letters; '' for any other section."""
        return _NAMES.get(_plain(self.title), "")


def sections(note_text: str) -> Iterator[Section]:
    """The sections of a note in order; the text of one ends at the next heading. Empty ones are left out."""
    found = sorted([*_headings(note_text)], key=lambda match: match.start())
    lead = note_text[: found[0].start() if found else len(note_text)].strip()
    if lead:
        yield Section("", lead)
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(note_text)
        text = note_text[match.end() : end].strip()
        if text:
            yield Section(match[1].strip(), text)


def _headings(text: str) -> Iterator[re.Match[str]]:
    colons = [match for match in HEADING.finditer(text) if len(match[1].split()) <= LONGEST_HEADING]
    colons = [match for match in colons if _opens_section(match, text)]
    yield from colons
    taken = {match.start(1) for match in colons}
    yield from (match for match in CAPITALS.finditer(text) if match.start(1) not in taken)


def _opens_section(match: re.Match[str], text: str) -> bool:
    """A known heading, or another alone on its line after a blank one; `BP: 120/80` and `Neuro:` are none."""
    plain = _plain(match[1])
    if plain in _NAMES or plain in _OTHERS:
        return True
    after_blank = re.search(r"(?:^|\n[^\S\n]*\n)[^\S\n]*$", text[max(0, match.start() - 200) : match.start()])
    alone = text[match.end() : match.end() + 1] in ("", "\n")
    return bool(after_blank) and alone and match[1][0].isupper() and plain not in _PARTS


def _plain(title: str) -> str:
    return " ".join(re.sub(r"\([^()]*\)|[^a-z ]", " ", title.lower()).split())


_NAMES = {variant: name for name, variants in MEDLANE_SECTIONS.items() for variant in variants}
_OTHERS, _PARTS = set(OTHER_HEADINGS.split("|")), set(PARTS.split())
