"""The folder that build_concepts makes: QuickUMLS's own index of terms, and beside it the concepts.

    index.json                  how it was made, and the settings of the linking: edit them there
    umls-simstring.db/          the terms, for approximate look-up
    keys.npy, meanings.npy      what terms mean: a term's key, and twice a concept's number, and 1 more where preferred
    concepts.jsonl, places.npy  a concept a line; where each line begins, and the end
    nltk_data/                  stop words

QuickUMLS keeps concepts and semantic types pickled in a database that one process may open. These plain files take
their place: nothing is unpickled, and any number of workers read them.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from corpora.knowledge.concepts.mentions import Concept
from foundation.errors import UserError

MANIFEST = "index.json"
KEYS, MEANINGS, CONCEPTS, PLACES, STOP_WORDS = "keys.npy", "meanings.npy", "concepts.jsonl", "places.npy", "nltk_data"
FORM = 1
MEASURES = ("jaccard", "dice", "cosine")
CODES = {
    "BAQ": "eu", "CHI": "zh", "CZE": "cs", "DAN": "da", "DUT": "nl", "ENG": "en", "EST": "et", "FIN": "fi", "FRE": "fr",
    "GER": "de", "GRE": "el", "HEB": "he", "HUN": "hu", "ITA": "it", "JPN": "ja", "KOR": "ko", "LAV": "lv", "NOR": "no",
    "POL": "pl", "POR": "pt", "RUS": "ru", "SCR": "hr", "SPA": "es", "SWE": "sv", "TUR": "tr",
}  # fmt: skip
"""ISO 639's codes of the languages of the UMLS."""


@dataclass(frozen=True)
class Manifest:
    """How an index was made, and how it links.

    `threshold`: the least similarity of a term and a name, by `similarity`. `window`: the most words of a mention.
    `shortest`: the least characters of one. `types`: the semantic types that count (TUIs); None for those of QuickUMLS.
    """

    language: str = "ENG"
    threshold: float = 0.7
    window: int = 5
    similarity: str = "jaccard"
    shortest: int = 3
    types: list[str] | None = None
    concepts: int = 0
    terms: int = 0
    made_from: dict[str, list[int]] = field(default_factory=dict)
    form: int = FORM

    def checked(self, where: str) -> "Manifest":
        """Itself; a UserError where a setting is out of its range."""
        if self.similarity not in MEASURES:
            raise UserError("The similarity must be one of {measures}.", measures=", ".join(MEASURES), where=where)
        if not 0 < self.threshold <= 1:
            raise UserError("The threshold is above 0 and at most 1.", where=where)
        if not 1 <= self.window <= 20 or self.shortest < 1:
            raise UserError(
                "The window is 1 to 20 words, and the shortest mention has at least 1 character.", where=where
            )
        return self

    def text(self) -> str:
        return json.dumps(asdict(self), indent=1) + "\n"


def manifest(folder: Path) -> Manifest:
    """The contents of the folder's index.json; a UserError where it cannot be understood."""
    path = folder / MANIFEST
    strange = UserError(
        "This is not an index of this version; make it again with manage.py build_concepts.", where=str(path)
    )
    try:
        made = Manifest(**json.loads(path.read_text(encoding="utf-8")))
        if made.form != FORM:
            raise strange
        return made.checked(str(path))
    except (OSError, ValueError, TypeError):
        raise strange from None


def key_of(term: str) -> int:
    """A term's key: 64 bits of its BLAKE2b hash."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")


class ConceptIndex:
    """The possible meanings of each term, read from the disk as they are asked for."""

    def __init__(self, folder: Path) -> None:
        self._keys, self._meanings, self._places = (
            np.load(folder / name, mmap_mode="r", allow_pickle=False) for name in (KEYS, MEANINGS, PLACES)
        )
        self._rows = np.memmap(folder / CONCEPTS, np.uint8, "r")
        self.concept = lru_cache(maxsize=50_000)(self._concept)

    def get(self, term: str) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """(CUI, semantic types, 1 where preferred) of each concept that `term` is a name of: what QuickUMLS asks."""
        for number, preferred in self.numbers(term):
            found = self.concept(number)
            yield found.cui, found.types, preferred

    def numbers(self, term: str) -> list[tuple[int, int]]:
        """(number, 1 where preferred) of each concept that `term` is a name of."""
        key = np.uint64(key_of(term))
        first, last = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        found: dict[int, int] = {}
        for meaning in self._meanings[first:last].tolist():
            number, preferred = divmod(meaning, 2)
            found[number] = max(found.get(number, 0), preferred)
        return list(found.items())

    def _concept(self, number: int) -> Concept:
        begin, end = self._places[number : number + 2].tolist()
        row: dict[str, Any] = json.loads(self._rows[begin:end].tobytes())
        return Concept(row["cui"], tuple(row["names"]), tuple(row["types"]), row["definition"])
