"""Medical concepts in a text: by QuickUMLS over the user's own UMLS, or by the small lexicon that is shipped.

MSD was linked by QuickUMLS, each mention to its highest-ranked concept (Cao et al. 2020, section 3.1, step 3).
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from corpora.knowledge import word_lists
from corpora.knowledge.concepts import index, lexicon
from corpora.knowledge.concepts.mentions import Concept, Linker, Mention, best
from foundation.errors import UserError
from foundation.side_process import in_side_process

__all__ = ["VARIABLE", "About", "Concept", "Linker", "Mention", "about", "best", "language", "linker"]

VARIABLE = "RESTYLE_CONCEPTS"
FILE = "concepts.tsv"


class About(NamedTuple):
    """Which linker is at hand: `name`, and how many `concepts` it knows."""

    name: str
    concepts: int


def linker(folder: Path | None = None) -> Linker:
    """QuickUMLS over `folder`, or over that of the environment's RESTYLE_CONCEPTS; else the lexicon.

    RESTYLE_CONCEPTS is a folder that `manage.py build_concepts` made, or a larger lexicon of the shipped one's form;
    `concepts.tsv` in RESTYLE_KNOWLEDGE is one too. Made once a process; QuickUMLS takes 115 MB and more, so it belongs
    into workers.
    """
    source = _source(folder)
    if source.is_dir():
        return _loaded(source, word_lists.stamp(source / index.MANIFEST))
    return lexicon.load(source)


def about(folder: Path | None = None) -> About:
    """The name and size of the `linker`, without loading it: QuickUMLS is large, and the lexicon takes 30 MB."""
    source = _source(folder)
    if source.is_dir():
        return About("QuickUMLS", index.manifest(source).concepts)
    return _counted(source, word_lists.stamp(source))


def language(folder: Path | None = None) -> str:
    """The language of the concepts' names, by the code of ISO 639; "" where a lexicon of one's own does not say."""
    source = _source(folder)
    if source.is_dir():
        return index.CODES.get(index.manifest(source).language, "")
    return "en" if source.parent == word_lists.SHIPPED else ""


@lru_cache(maxsize=1)
def _counted(source: Path, stamp: int) -> About:
    return in_side_process(_about, source)


def _about(source: Path) -> About:
    found = lexicon.load(source)
    return About(found.name, len(found.concepts))


def _source(folder: Path | None) -> Path:
    named = os.environ.get(VARIABLE, "")
    chosen = folder or (Path(named) if named else None)
    if chosen is None:
        return word_lists.chosen(FILE)
    if chosen.is_dir() and not (chosen / index.MANIFEST).is_file():
        raise UserError("This folder holds no concepts; make it with manage.py build_concepts.", where=str(chosen))
    if not chosen.exists():
        raise UserError(
            "This folder does not exist; {variable} names the folder that build_concepts made.",
            variable=VARIABLE,
            where=str(chosen),
        )
    return chosen


@lru_cache(maxsize=1)
def _loaded(folder: Path, stamp: int) -> Linker:
    from corpora.knowledge.concepts.quickumls_linker import QuickUMLSLinker

    return QuickUMLSLinker(folder)
