"""NLTK's sentence splitter with its own parameters of English, where a lab has put them (Kiss and Strunk 2006)."""

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from foundation.local_resources import local_path

FOLDER = "punkt_tab/english"
"""Below RESTYLE_MODELS: `english` of the folder `punkt_tab` in NLTK's data."""


def punkt_splitter() -> Callable[[str], list[str]] | None:
    """From a text to its sentences, as NLTK's `sent_tokenize`; None where its parameters are not on this machine."""
    folder = local_path(FOLDER)
    return None if folder is None else _splitter(folder)


@lru_cache(maxsize=2)
def _splitter(folder: Path) -> Callable[[str], list[str]]:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer  # seconds, and 100 MB

    parameters = PunktParameters()
    parameters.abbrev_types = set(_lines(folder / "abbrev_types.txt"))
    parameters.sent_starters = set(_lines(folder / "sent_starters.txt"))
    parameters.collocations = {tuple(line.split("\t")) for line in _lines(folder / "collocations.tab")}
    contexts = (line.split("\t") for line in _lines(folder / "ortho_context.tab"))
    parameters.ortho_context = defaultdict(int, {word: int(flags) for word, flags in contexts})
    tokenizer = PunktSentenceTokenizer(parameters)
    return lambda text: list(tokenizer.tokenize(text))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
