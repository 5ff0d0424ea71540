"""The contrast set: good texts and the same texts harmed in one of four ways, which metrics are asked to tell apart.

The four families are those of Guo et al. (2024, APPLS): what a text says, how simply, in which order, and whether it is
true to its source. All texts are made from the study's own, by a seed: nothing is asked of a model. The good text of a
source is its first reference where it has two or more, so that metrics hold it against the others; else an output of
one of the systems, drawn by the seed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import regex

from corpora.knowledge.sentences import split
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.attention_checks._base import CheckTexts
from evaluation.languages import joined, primary, writes_spaces
from evaluation.snapshot import SystemRow, Units
from foundation.papers import Paper
from foundation.seeds import generator
from foundation.text_keys import text_key
from foundation.word_diff import matches, words

PAPER = Paper(
    "Guo, August, Leroy, Cohen and Wang",
    2024,
    "APPLS: Evaluating Evaluation Metrics for Plain Language Summarization",
    "https://doi.org/10.18653/v1/2024.emnlp-main.519",
)
NAME = "contrast"
UNHARMED = "unharmed"
MOST = 100  # sources
SEED = 1
NAMED = regex.compile(r"(?<=\p{Ll},?\s)\p{Lu}[\p{L}\p{M}]+")  # a capital inside a sentence
Draws = np.random.Generator
Way = Callable[[CheckTexts, Draws], str | None]


@dataclass(frozen=True)
class Family:
    """A kind of harm; `about` says what a metric that prefers no unharmed text does not see, `lacking` why there may be
    no text of it. The first of the ways that fits a text is taken, in an order that is drawn."""

    label: str
    about: str
    lacking: str
    ways: tuple[Way, ...]


# Informativeness: something of the text is gone, or something else stands in it.


def _without_part(given: CheckTexts, draws: Draws) -> str | None:
    """A sentence less; of a single one, a third of its words."""
    parts = sentences_of(given.text, given.language)
    if len(parts) > 1:
        gone = int(draws.integers(len(parts)))
        return _text(parts[:gone] + parts[gone + 1 :], given.language)
    own = _pieces(given.text, given.language)
    count = len(own) // 3
    start = int(draws.integers(len(own) - count + 1)) if count else 0
    return joined([*own[:start], *own[start + count :]], given.language).strip() if count else None


def _with_another(given: CheckTexts, draws: Draws) -> str | None:
    """A sentence of another text before or behind it."""
    other = _other(given, draws)
    if other is None:
        return None
    parts = [given.text, sentences_of(other, given.language)[0]]
    return _text(parts if draws.integers(2) else parts[::-1], given.language)


# Simplicity, or another style: a passage that was rewritten stands again as in the source.


def _edit_undone(given: CheckTexts, draws: Draws) -> str | None:
    old, new = _pieces(given.source, given.language), _pieces(given.text, given.language)
    edits, i, k = [], 0, 0
    bare = ([piece.strip() for piece in text] for text in (old, new))
    for start, at, size in [*matches(*bare), (len(old), len(new), 0)]:
        if i < start:  # of a passage that the source lacks nothing would stand again
            edits.append((i, start, k, at))
        i, k = start + size, at + size
    if not edits:
        return None
    i, i_end, k, k_end = edits[int(draws.integers(len(edits)))]
    return joined([*new[:k], *old[i:i_end], *new[k_end:]], given.language).strip()


# Coherence: the same sentences, or of a single one the same words, in another order.


def _reordered(given: CheckTexts, draws: Draws) -> str | None:
    """Two neighbouring runs change places: of sentences, else of words."""
    parts = sentences_of(given.text, given.language)
    several = len(parts) > 1
    parts = parts if several else _pieces(given.text, given.language)
    if len(parts) < 2:
        return None
    i, j, k = sorted(draws.choice(len(parts) + 1, 3, replace=False).tolist())
    turned = [*parts[:i], *parts[j:k], *parts[i:j], *parts[k:]]
    return _text(turned, given.language) if several else joined(turned, given.language).strip()


# Faithfulness: a negation more or less, an opposite, another number, another name.


def _flipped(given: CheckTexts, draws: Draws) -> str | None:
    flipped: str | None = ATTENTION_CHECKS["flipped"].make(given, draws)
    return flipped


def _other_name(given: CheckTexts, draws: Draws) -> str | None:
    """A word with a capital inside a sentence gives way to such a word of another text."""
    found = list(NAMED.finditer(given.text))
    names = sorted({name for text in given.others for name in _names(text)} - {one.group() for one in found})
    if not found or not names:
        return None
    place, name = found[int(draws.integers(len(found)))], str(names[int(draws.integers(len(names)))])
    return f"{given.text[: place.start()]}{name}{given.text[place.end() :]}"


FAMILIES: Mapping[str, Family] = {
    "informativeness": Family(
        label="Informativeness",
        about="A part of the text is left out, or a sentence of another text stands in it.",
        lacking="No text has a second sentence or three words.",
        ways=(_without_part, _with_another),
    ),
    "simplicity": Family(
        label="Simplicity",
        about="A passage that was rewritten stands again as in the source.",
        lacking="No text has other words than its source.",
        ways=(_edit_undone,),
    ),
    "coherence": Family(
        label="Coherence",
        about="Sentences stand in another order; of a single sentence, its words do.",
        lacking="No text has two sentences or two words.",
        ways=(_reordered,),
    ),
    "faithfulness": Family(
        label="Faithfulness",
        about=(
            "A negation, an opposite, a number or a name says something else; in other languages than English, a "
            "number or a name does."
        ),
        lacking="No text has a number or a name to exchange; negations and opposites are known of English alone.",
        ways=(_flipped, _other_name),
    ),
}


@dataclass(frozen=True)
class ContrastText:
    """A text of the contrast set: the place of its unit, the family of its harm ("unharmed" of the good text), and
    whether its unit's first reference is the good text, and so none of its references."""

    unit: int
    family: str
    text: str
    of_reference: bool


def contrast_texts(
    units: Units, systems: Sequence[SystemRow], inside: Sequence[bool], language: str
) -> list[ContrastText]:
    """The contrast set of a study.

    Args:
        units: The n units.
        systems: The systems, without what is judged beside them.
        inside: (n,) Which units may be drawn.
        language: The language of the texts.

    Returns:
        The texts, by unit: the unharmed one first, and one of each family that fits it. Empty texts are left out.
    """
    good = {place: _good(units, systems, place) for place in range(len(units.ids)) if inside[place]}
    there = [(place, text) for place, text in good.items() if text is not None and text.strip()]
    order = generator(SEED, NAME, len(there)).permutation(len(there))[:MOST]
    drawn = [there[at] for at in sorted(order.tolist())]
    others = [text for _, text in drawn]
    found = []
    for place, text in drawn:
        given = CheckTexts(units.sources[place], text, others, language)
        of_reference = len(units.references[place]) > 1
        found.append(ContrastText(place, UNHARMED, text, of_reference))
        for name in FAMILIES:
            if (harmed := _harmed(name, given)) is not None:
                found.append(ContrastText(place, name, harmed, of_reference))
    return found


def _good(units: Units, systems: Sequence[SystemRow], place: int) -> str | None:
    if len(units.references[place]) > 1:
        return units.references[place][0]
    outputs = [text for row in systems if (text := row.outputs[place])]
    return outputs[int(generator(SEED, NAME, units.sources[place]).integers(len(outputs)))] if outputs else None


def _harmed(name: str, given: CheckTexts) -> str | None:
    """The first text that differs from the good one, of the family's ways in a drawn order."""
    draws, ways = generator(SEED, NAME, name, given.source), FAMILIES[name].ways
    made = (ways[at](given, draws) for at in draws.permutation(len(ways)))
    return next((text for text in made if text and text.strip() and text_key(text) != text_key(given.text)), None)


@lru_cache(maxsize=MOST)  # of the others, with which each text is compared
def _key(text: str) -> str:
    return text_key(text)


@lru_cache(maxsize=MOST)
def _names(text: str) -> frozenset[str]:
    return frozenset(NAMED.findall(text))


def _other(given: CheckTexts, draws: Draws) -> str | None:
    own = text_key(given.text)
    others = [text for text in given.others if text != given.text and _key(text) != own]
    return others[int(draws.integers(len(others)))] if others else None


def sentences_of(text: str, language: str) -> list[str]:
    """The sentences of a text; never none."""
    return split(text, primary(language)) or [text]


def _pieces(text: str, language: str) -> list[str]:
    """The words of a text; in a language without spaces between words its clusters, each with the space behind it."""
    return text.split() if writes_spaces(language) else [word.text + word.space for word in words(text.strip())[1:]]


def _text(sentences: Sequence[str], language: str) -> str:
    return (" " if writes_spaces(language) else "").join(sentences)
