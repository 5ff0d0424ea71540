"""Concepts by QuickUMLS (Soldaini and Goharian 2016) over the user's own UMLS: approximate look-up of words."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nltk
import spacy
from quickumls import QuickUMLS, constants

from corpora.knowledge.concepts import index, stop_words
from corpora.knowledge.concepts.mentions import Concept, Mention, best
from foundation.papers import Paper

PAPER = Paper(
    "Soldaini and Goharian",
    2016,
    "QuickUMLS: a fast, unsupervised approach for medical concept extraction",
    "https://ir.cs.georgetown.edu/downloads/quickumls.pdf",
)


class QuickUMLSLinker:
    """A linker over the folder that build_concepts made, with the settings in its index.json."""

    name = "QuickUMLS"

    def __init__(self, folder: Path) -> None:
        self.manifest = index.manifest(folder)
        self._index = index.ConceptIndex(folder)
        self._matcher = _matcher(folder, self.manifest, self._index)

    def link(self, text: str) -> list[Mention]:
        """The mentions in order, none within another: `_mentions.best` of all that QuickUMLS finds."""
        # match() takes best_match and does not hand it on; _match heeds it.
        groups = self._matcher._match(self._matcher.nlp(text), best_match=False)
        return best(mention for group in groups for mention in self._mentions(text, group))

    def _mentions(self, text: str, group: list[dict[str, Any]]) -> Iterator[Mention]:
        for found in group:
            start, end = found["start"], found["end"]
            concept = self._concept(found["term"], found["cui"])
            yield Mention(start, end, text[start:end], float(found["similarity"]), concept)

    def _concept(self, term: str, cui: str) -> Concept:
        of_term = (self._index.concept(number) for number, _ in self._index.numbers(term))
        return next(concept for concept in of_term if concept.cui == cui)


def _matcher(folder: Path, made: index.Manifest, concept_index: index.ConceptIndex) -> Any:
    words = str(folder / index.STOP_WORDS)
    if words not in nltk.data.path:
        nltk.data.path.insert(0, words)  # or the constructor would fetch them
    types = constants.ACCEPTED_SEMTYPES if made.types is None else set(made.types)
    # A spaCy component brings its own pipeline; anything else loads a model by name, which would be fetched too.
    matcher = QuickUMLS(
        os.fspath(folder), threshold=made.threshold, window=made.window, similarity_name=made.similarity,
        min_match_length=made.shortest, accepted_semtypes=types, spacy_component=True,
    )  # fmt: skip
    matcher.nlp = _pipeline(constants.LANGUAGES[made.language])
    matcher.cuisem_db = concept_index  # its own would unpickle
    matcher._stopwords |= {word.capitalize() for word in matcher._stopwords}  # "All" at the beginning of a sentence
    return matcher


def _pipeline(language: str | None) -> Any:
    """A tokenizer alone, with sentence ends: no model."""
    nlp = spacy.blank(stop_words.LANGUAGES.get(language or "", "xx"))
    nlp.add_pipe("sentencizer")
    return nlp
