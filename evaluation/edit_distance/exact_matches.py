"""The distance of TER: words match where they are equal, and long texts are compared within sacreBLEU's beam."""

from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from evaluation.edit_distance.alignment import Alignment, Bits, align, bits_of
from evaluation.edit_distance.beam import align_within_beam, beam, beam_distances
from evaluation.edit_distance.shift_search import Shift, best_shift, fewest_edits
from evaluation.edit_distance.tercom import as_characters


def ter_edits(output: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    """Edits and shifts from the words of an output to those of the nearest reference, of one or more."""
    characters, *wanted = as_characters(output, *references)
    distances = [ExactMatches(characters, reference) for reference in wanted]
    return fewest_edits(characters, [(distance, len(distance.reference)) for distance in distances])


class ExactMatches:
    """How far outputs of the same words (characters) are from one reference."""

    def __init__(self, output: str, reference: str) -> None:
        self.reference = reference
        self.bits: Bits = bits_of(reference)
        self.floor = max(len(output), len(reference)) - (Counter(output) & Counter(reference)).total()
        self._plain_below = beam(len(output), len(reference)).plain_below

    def aligned(self, output: str) -> tuple[int, Alignment]:
        now = Levenshtein.distance(output, self.reference)
        if now < self._plain_below:
            return now, align(output, len(self.reference), self.bits)
        return align_within_beam(output, self.reference)

    def best(self, shifts: list[Shift], now: int) -> tuple[int, str]:
        """Within the beam a distance is at least the plain one, so only those that this leaves are computed."""
        plain = [(Levenshtein.distance(shift.output, self.reference), shift) for shift in shifts]
        sure = [(now - far, shift) for far, shift in plain if far < min(now, self._plain_below)]
        if sure or now <= self._plain_below:
            return best_shift(sure)
        left = [shift for far, shift in plain if far < now]
        if not left:
            return 0, ""
        within = beam_distances([shift.output for shift in left], self.reference)
        return best_shift([(now - far, shift) for far, shift in zip(within, left, strict=True)])
