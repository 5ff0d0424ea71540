"""Studies that a model can be trained on."""

from typing import Any

from support.campaigns import NUMBERS

from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.models import Direction, Sentence, Study

WORDS = {"wat": "what", "u": "you", "r": "are", "gonna": "going", "thx": "thanks", "plz": "please", "b4": "before"}
TRAIN, TUNE = 12, 4


def pairs(count: int, words: dict[str, str] = WORDS) -> list[tuple[str, str]]:
    """Sources of three to six words and their rewrites, no two alike."""
    keys = list(words)
    found = []
    for number in range(count):
        chosen = [keys[(number * 3 + place * (number % 5 + 1)) % len(keys)] for place in range(3 + number % 4)]
        found.append((" ".join([*chosen, f"n{number}"]), " ".join([*(words[one] for one in chosen), f"n{number}"])))
    return found


def training_study(size: int = 24, references: int = 1, styles: tuple[str, str] = ("informal", "formal")) -> Study:
    """A study whose sources are in the train split, then TUNE in tune, and as many in test, all with references."""
    number = next(NUMBERS)
    made = create_study(slug=f"study-{number}", title=f"Texts to train on {number}", styles=list(styles))
    fill(add_direction(study=made, source_style=styles[0], target_style=styles[1]), pairs(size), references)
    return made


def fill(direction: Direction, texts: list[tuple[str, str]], references: int = 1) -> None:
    """Add sources with references; the last of them are split off for tuning and testing."""
    add_sources(direction=direction, texts=[source for source, _ in texts])
    for number in range(references):
        given: list[Any] = [f"{text} ({number})" if number else text for _, text in texts]
        add_references(direction=direction, texts=given, origin=f"file {number}")
    split(direction, len(texts) - 2 * TUNE)


def split(direction: Direction, train: int) -> None:
    """The first are train, the next TUNE are tune, the rest is test."""
    rows = direction.sentences
    rows.filter(number__lte=train).update(split=Sentence.Split.TRAIN)
    rows.filter(number__gt=train, number__lte=train + TUNE).update(split=Sentence.Split.TUNE)
    rows.filter(number__gt=train + TUNE).update(split=Sentence.Split.TEST)
