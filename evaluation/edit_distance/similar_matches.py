"""The distance of TER with stems and synonyms: words match where they have a stem or a sense in common."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_

from evaluation.edit_distance.alignment import Alignment, Bits, align, edit_distance
from evaluation.edit_distance.shift_search import Shift, best_shift, fewest_edits
from evaluation.edit_distance.tercom import as_characters

Keys = Callable[[str], Sequence[object]]
"""From a word to all that makes two words match: itself, its stem and its senses."""


def terp_edits(output: Sequence[str], references: Sequence[Sequence[str]], keys: Keys) -> int:
    """Edits and shifts from the words of an output to those of the nearest reference, of one or more."""
    (characters,) = as_characters(output)
    distances = [SimilarMatches(output, characters, reference, keys) for reference in references]
    return fewest_edits(characters, [(distance, distance.end) for distance in distances])


class SimilarMatches:
    """Words match where they have a stem or a sense in common, which two that match a third need not."""

    def __init__(self, output: Sequence[str], characters: str, reference: Sequence[str], keys: Keys) -> None:
        self.end = len(reference)
        places: dict[object, int] = {}
        for place, word in enumerate(reference):
            for key in keys(word):
                places[key] = places.get(key, 0) | 1 << place
        said = dict(zip(characters, output, strict=True))
        self.bits: Bits = {letter: _any(places.get(key, 0) for key in keys(word)) for letter, word in said.items()}
        matching = [self.bits[letter] for letter in characters if self.bits[letter]]
        self.floor = max(len(output), self.end) - min(len(matching), _any(matching).bit_count())

    def aligned(self, output: str) -> tuple[int, Alignment]:
        return self._far(output), align(output, self.end, self.bits)

    def best(self, shifts: list[Shift], now: int) -> tuple[int, str]:
        return best_shift([(now - self._far(shift.output), shift) for shift in shifts])

    def _far(self, output: str) -> int:
        return edit_distance(output, self.end, self.bits) if self.end else len(output)


def _any(bits: Iterable[int]) -> int:
    return reduce(or_, bits, 0)
