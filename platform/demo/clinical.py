"""The demo's clinical sentences: sources, lay references and the outputs of six systems, each with a fault of its own.

`clinical.txt` holds fifty sentences with places for ages, sides, drugs and values: the source, a reference, and another
rewrite that says the same. Draws of the places make three hundred sources. In a reference `[said|missed]` marks the
words on which its sense hangs.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from foundation.seeds import generator

FOLDER = Path(__file__).parent
SEED, SOURCES = 7, 300
PLACE = re.compile(r"\{(\w+)('?)(\^?)\}")
VITAL = re.compile(r"\[([^\[|\]]*)\|([^\[\]]*)\]")

# Places with a clinical and a lay form; `sides` and `side`, `m` and `man` are drawn together.
PAIRED = {
    "site": [
        ("RLL", "the lower part of the right lung"),
        ("LLL", "the lower part of the left lung"),
        ("RUL", "the upper part of the right lung"),
        ("bibasilar", "the lower parts of both lungs"),
    ],
    "drug": [
        ("lisinopril 10 mg daily", "lisinopril (10 mg a day)"),
        ("metoprolol 25 mg BID", "metoprolol (25 mg twice a day)"),
        ("amlodipine 5 mg qHS", "amlodipine (5 mg in the evening)"),
        ("losartan 50 mg qAM", "losartan (50 mg in the morning)"),
        ("carvedilol 6.25 mg BID", "carvedilol (6.25 mg twice a day)"),
    ],
    "proc": [
        ("EGD", "a look into the stomach"),
        ("cardiac cath", "a look into the heart's vessels"),
        ("bronchoscopy", "a look into the airways"),
        ("lap chole", "the removal of the gallbladder"),
        ("TEE", "an ultrasound of the heart from inside"),
    ],
    "abx": [
        ("vanc", "the antibiotic vancomycin"),
        ("ceftriaxone", "the antibiotic ceftriaxone"),
        ("levofloxacin", "the antibiotic levofloxacin"),
        ("Zosyn", "an antibiotic of two drugs"),
    ],
    "kin": [("wife", "the wife"), ("dtr", "the daughter"), ("son", "the son"), ("husband", "the husband")],
    "diu": [
        ("Lasix 40 mg IV", "a water-draining drug by drip"),
        ("torsemide 20 mg PO", "a water tablet"),
        ("bumetanide 1 mg IV", "a strong water drug by drip"),
    ],
    "place": [
        ("SNF", "a nursing home"),
        ("acute rehab", "a clinic for rehabilitation"),
        ("home w/ VNA", "nursing visits at home"),
    ],
    "pain": [
        ("PO oxycodone PRN", "oxycodone tablets when needed"),
        ("acetaminophen 1 g TID", "paracetamol three times a day"),
        ("a PCA", "a pain pump"),
        ("ibuprofen 400 mg q6h", "ibuprofen every six hours"),
    ],
    "diet": [("nectar thick liquids", "thickened drinks"), ("pureed diet", "mashed food"), ("soft diet", "soft food")],
    "can": [("colon", "bowel"), ("breast", "breast"), ("gastric", "stomach"), ("ovarian", "ovary")],
    "sides": [("R", "right"), ("L", "left")],
    "m": [("M", "man"), ("F", "woman")],
}  # fmt: skip
LAY_OF = {"side": "sides", "man": "m"}
DRAWN: dict[str, Callable[[np.random.Generator], str]] = {
    "age": lambda draw: str(draw.integers(34, 91)), "n": lambda draw: str(draw.integers(2, 7)),
    "bp": lambda draw: f"{draw.integers(112, 139)}/{draw.integers(64, 87)}",
    "cr": lambda draw: f"{draw.integers(17, 39) / 10}", "a1c": lambda draw: f"{draw.integers(66, 99) / 10}",
    "inr": lambda draw: f"{draw.integers(36, 69) / 10}", "sat": lambda draw: str(draw.integers(89, 97)),
    "year": lambda draw: str(draw.integers(2004, 2023)), "hgb": lambda draw: f"{draw.integers(72, 99) / 10}",
    "ef": lambda draw: str(draw.integers(30, 66)), "wk": lambda draw: str(draw.integers(28, 40)),
    "y": lambda draw: str(draw.integers(3, 11)), "dd": lambda draw: str(draw.integers(620, 1900)),
    "mo": lambda draw: str(draw.integers(8, 20)), "mm": lambda draw: str(draw.integers(4, 10)),
    "ldl": lambda draw: str(draw.integers(141, 199)), "phq": lambda draw: str(draw.integers(10, 19)),
    "iop": lambda draw: str(draw.integers(17, 24)),
}  # fmt: skip

# The words of a glossary by term.
GLOSSARY = dict(line.split("\t") for line in (FOLDER / "glossary.tsv").read_text(encoding="utf-8").splitlines())
TERM = re.compile(
    r"(?<![\w/])(" + "|".join(re.escape(one) for one in sorted(GLOSSARY, key=len, reverse=True)) + r")(?![\w/])"
)
SMALL = re.compile(r"\b(the|a|an|is|are|was|were|has|have|been) ", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """A source with its reference, and another rewrite as good as that."""

    source: str
    reference: str
    missed: str  # the reference with the words on which its sense hangs turned round
    other: str


def cases() -> list[Case]:
    """The three hundred, mixed, the same each time; no two sources are alike."""
    blocks = [
        block.splitlines() for block in (FOLDER / "clinical.txt").read_text(encoding="utf-8").strip().split("\n\n")
    ]
    draws = [generator(SEED, "places", source) for source, *_ in blocks]
    made: dict[str, Case] = {}
    while len(made) < SOURCES:
        for draw, (source, reference, other) in zip(draws, blocks, strict=True):
            said, missed = (VITAL.sub(rf"\{side}", reference) for side in (1, 2))
            fill = partial(_filled, places=dict(_places(draw)))
            made.setdefault(fill(source), Case(*map(fill, (source, said, missed, other))))
    found = list(made.values())[:SOURCES]
    return [found[index] for index in generator(SEED, "order", "").permutation(SOURCES)]


def _places(draw: np.random.Generator) -> Iterator[tuple[str, tuple[str, str]]]:
    for name, forms in PAIRED.items():
        yield name, forms[draw.integers(len(forms))]
    for name, value in DRAWN.items():
        yield name, (value(draw),) * 2


def _filled(text: str, places: dict[str, tuple[str, str]]) -> str:
    def form(found: re.Match[str]) -> str:
        name, lay, capital = found.groups()
        clinical, plain = places[LAY_OF.get(name, name)]
        said = plain if lay or name in LAY_OF else clinical
        return said[0].upper() + said[1:] if capital else said

    return _capital(PLACE.sub(form, text))


def glossary(case: Case) -> str:
    """Each term replaced, and nothing else: the telegram stays one."""
    return _capital(TERM.sub(lambda found: GLOSSARY[found[1]], case.source))


def phrases(case: Case) -> str:
    """As the phrase table of a small corpus writes: the glossary's words with some left out and some said twice."""
    draw = generator(SEED, "phrases", case.source)
    words = [word for word in glossary(case).split() if draw.random() > 0.08]
    return _capital(" ".join(f"{word} {word}" if draw.random() < 0.07 else word for word in words))


def shortened(case: Case) -> str:
    """The first part of the reference alone, in short words: easy to read, and half of it is gone."""
    first = re.split(r"[,;:]| and ", case.reference, maxsplit=1)[0]
    return first.rstrip(".") + "."


def guessed(case: Case) -> str:
    """Word for word as the reference, but in seven of ten what matters is turned round."""
    return case.missed if generator(SEED, "guess", case.source).random() < 0.7 else case.reference


def clipped(case: Case) -> str:
    """The good rewrite without its small words."""
    return _capital(SMALL.sub("", case.other))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


SYSTEMS: dict[str, Callable[[Case], str]] = {
    "Careful writer": lambda case: case.other,
    "Fluent guesser": guessed,
    "Shortener": shortened,
    "Clipped writer": clipped,
    "Glossary": glossary,
    "Phrase table": phrases,
}
