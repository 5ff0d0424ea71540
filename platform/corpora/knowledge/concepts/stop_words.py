"""Stop words where QuickUMLS looks for them: in the form of NLTK's data, from spaCy's lists, so nothing is fetched."""

from importlib import import_module
from pathlib import Path

# QuickUMLS's name of a language (its spelling), and spaCy's code.
LANGUAGES = {
    "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi", "french": "fr", "german": "de", "greek": "el",
    "hungarian": "hu", "italian": "it", "norwegian": "nb", "polish": "pl", "portoguese": "pt", "russian": "ru",
    "spanish": "es", "swedish": "sv", "turkish": "tr",
}  # fmt: skip
# Words of spaCy's lists that health texts speak of.
MEDICAL = frozenset({"back", "bottom", "empty", "front", "full", "move", "serious", "side"})


def write(folder: Path) -> None:
    """The lists of all languages below `folder`, which `nltk.data.path` then names."""
    lists = folder / "corpora" / "stopwords"
    lists.mkdir(parents=True)
    for name, code in LANGUAGES.items():
        words = import_module(f"spacy.lang.{code}.stop_words").STOP_WORDS
        (lists / name).write_text("\n".join(sorted(set(words) - MEDICAL)) + "\n", encoding="utf-8")
