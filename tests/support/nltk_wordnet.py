"""NLTK's reader of WordNet over any folder, the authority that ours is held to."""

import warnings
from pathlib import Path

import nltk
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader


class Reader(WordNetCorpusReader):
    """Without its tables for other languages, which need files that Debian does not package."""

    def map_wn(self, version="wordnet"):
        return {}


def reader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """NLTK opens only what lies below its data folders, so this one is named among them."""
    monkeypatch.setattr(nltk.data, "path", [*nltk.data.path, str(folder.parent)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of those tables
        return Reader(str(folder), None)
