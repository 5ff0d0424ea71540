"""Words that match by stem (Porter) or by synonym (WordNet)."""

import mmap
import os
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from foundation.local_resources import local_path
from foundation.part_of_package import part_of_package

# Porter's stems (Porter 1980), NLTK's: those of the last words are kept.

CACHED_STEMS = 100_000


@lru_cache(maxsize=1)
def stemmer() -> Callable[[str], str]:
    """From a word to its stem, in lower case; with NLTK's additions to the rules, its default."""
    porter: Callable[[str], str] = part_of_package("nltk.stem.porter").PorterStemmer().stem
    return lru_cache(maxsize=CACHED_STEMS)(porter)


@lru_cache(maxsize=1)
def stemmer_version() -> str:
    """NLTK with its version, for signatures."""
    return f"nltk-{version('nltk')}"


# WordNet's synonyms (Fellbaum 1998), read from its own files where they lie, word by word: nothing is loaded.
#
# The folder is the one that WORDNET names, else `wordnet` below RESTYLE_MODELS, else where Debian's package puts it.

VARIABLE = "WORDNET"
DEBIAN = Path("/usr/share/wordnet")
WORDNET_MISSING = (
    "WordNet is not on this machine: `apt install wordnet-base`, or put its files into a folder `wordnet` below "
    f"RESTYLE_MODELS, or name their folder by {VARIABLE}."
)
# NLTK's rules, in its order: the ending of an inflected form, and its replacement (Fellbaum 1998, morphy).
ENDINGS: dict[str, Sequence[tuple[str, str]]] = {
    "noun": [("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")],
    "verb": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "adj": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "adv": [],
}  # fmt: skip
FILES = [f"{kind}.{part}" for part in ENDINGS for kind in ("index", "data")]
MARK = re.compile(r"\([^()]*\)$")  # where an adjective may stand: 'galore(ip)'


def wordnet_folder() -> Path | None:
    """Where WordNet's files are; None where they are nowhere."""
    named = os.environ.get(VARIABLE, "")
    places = [Path(named)] if named else [local_path("wordnet"), DEBIAN]
    return next(
        (place for place in places if place is not None and all((place / name).is_file() for name in FILES)), None
    )


@lru_cache(maxsize=2)
def wordnet(place: Path) -> "WordNet":
    """The WordNet of that folder."""
    return WordNet(place)


class WordNet:
    """The words of one folder: version 3.0's, or any in the form of wndb(5WN)."""

    def __init__(self, place: Path) -> None:
        self._index = {part: _mapped(place / f"index.{part}") for part in ENDINGS}
        self._data = {part: _mapped(place / f"data.{part}") for part in ENDINGS}
        self._irregular = {part: _exceptions(place / f"{part}.exc") for part in ENDINGS}
        self.version = _version(self._data["noun"])
        self.synsets = lru_cache(maxsize=50_000)(self._synsets)
        self.synonyms = lru_cache(maxsize=50_000)(self._synonyms)

    def _synsets(self, word: str) -> frozenset[tuple[str, int]]:
        """Part of speech and number of each sense of the word, in lower case, or of its base forms."""
        word = word.lower()
        return frozenset(
            (part, offset)
            for part in ENDINGS
            for form in self._forms(word, part)
            for offset in self._senses(form, part)
        )

    def _synonyms(self, word: str) -> frozenset[str]:
        """The single words of all its senses, spelled as in WordNet, and the word itself."""
        synonyms = {
            name for part, offset in self.synsets(word) for name in self._names(part, offset) if "_" not in name
        }
        return frozenset(synonyms | {word})

    def _forms(self, word: str, part: str) -> list[str]:
        bases = self._irregular[part].get(word)
        if bases is None:
            bases = [word[: -len(old)] + new for old, new in ENDINGS[part] if word.endswith(old)]
        return [word, *bases]

    def _senses(self, lemma: str, part: str) -> list[int]:
        """Where the lemma's senses stand in the data file; none where it has no line in the index."""
        if not lemma or any(char.isspace() for char in lemma):
            return []
        fields = _line_of(self._index[part], lemma.encode())
        return [int(each) for each in fields[-int(fields[2]) :]] if fields else []

    def _names(self, part: str, offset: int) -> list[str]:
        data = self._data[part]
        fields = data[offset : data.find(b"\n", offset)].decode().split()
        return [MARK.sub("", name) if name[-1] == ")" else name for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _line_of(index: mmap.mmap, lemma: bytes) -> list[bytes]:
    """The fields of the lemma's line, found by halving the file, whose lines are in the order of their bytes."""
    low, high = 0, len(index)
    while low < high:
        start = index.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = index.find(b"\n", start)
        entry = index[start : index.find(b" ", start + 1)]
        if entry == lemma:
            return index[start:end].split()
        low, high = (end + 1, high) if entry < lemma else (low, start)
    return []


def _exceptions(path: Path) -> dict[str, list[str]]:
    """Irregular forms and their base forms."""
    if not path.is_file():
        return {}
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {form: bases for form, *bases in filter(None, lines)}


def _version(data: mmap.mmap) -> str:
    """The version in the licence at the file's head: 'WordNet 3.0 Copyright ...'."""
    match = re.search(rb"WordNet (?:Release )?(\d[\d.]*)", data[:2000])
    return match[1].decode() if match else "unknown"
