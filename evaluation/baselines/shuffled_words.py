"""The words of a good text in any order: the right words, and no sentence."""

from evaluation.baselines._base import BaselineInput, DegenerateBaseline
from evaluation.languages import joined, pieces
from foundation.papers import MSD
from foundation.seeds import generator


def make(texts: BaselineInput) -> list[str | None]:
    """The first reference, else the source, its words in an order that the seed draws; another than before."""
    shuffled: list[str | None] = []
    for place, (source, references) in enumerate(zip(texts.sources, texts.references, strict=True)):
        words = pieces(references[0] if references else source, texts.language)
        drawn = _shuffled(words, texts.seed, place) if len(set(words)) > 1 else None
        shuffled.append(None if drawn is None else joined(drawn, texts.language))
    return shuffled


def _shuffled(words: list[str], seed: int, place: int) -> list[str]:
    numbers = generator(seed, "shuffled_words", place)
    while True:
        drawn = [words[index] for index in numbers.permutation(len(words))]
        if drawn != words:
            return drawn


BASELINE = DegenerateBaseline(
    label="Words shuffled",
    about="It does not see the order of words, so a text that nobody can read pleases it.",
    make=make,
    paper=MSD,
)
