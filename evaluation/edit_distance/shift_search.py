"""TER's shift search: the fewest edits, with a greedy search for words to move, as Tercom and sacreBLEU have it.

A text is a string with one character a different word, so that a shift is a few slices.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from evaluation.edit_distance.alignment import Alignment, Bits

LONGEST = 10  # words of a shift
FARTHEST = 50  # places between a shift's words and where they stand in the reference
CANDIDATES = 1000  # shifts that are looked at, over all rounds


class Shift(NamedTuple):
    """Words moved, and the output then. Of two that gain as much the greater one is taken: long, early, to the left."""

    length: int
    minus_start: int
    minus_place: int
    output: str


class Distance(Protocol):
    """How far outputs of the same words are from the one reference that it was made for."""

    bits: Bits
    """For each word of the outputs, a bit for each place in the reference where it matches."""
    floor: int
    """What no order of the words gets below."""

    def aligned(self, output: str) -> tuple[int, Alignment]:
        """The distance, and which words stand beside each other."""

    def best(self, shifts: list[Shift], now: int) -> tuple[int, str]:
        """By how much the best of the shifts is nearer than `now`, and its output; (0, "") where none is."""


def fewest_edits(output: str, references: Sequence[tuple[Distance, int]]) -> int:
    """Shifts and edits to the nearest of the references, each as its distance and its length in words."""
    fewest = sys.maxsize
    for distance, end in sorted(references, key=lambda reference: reference[0].floor):
        fewest = min(fewest, edits_with_shifts(output, end, distance, fewest))
    return fewest


def edits_with_shifts(output: str, end: int, distance: Distance, enough: int) -> int:
    """Shifts and edits to one reference.

    Args:
        output: The output, a character a word.
        end: The reference's length in words.
        distance: How far orders of the output's words are from that reference.
        enough: A number of edits above which none is looked for.

    Returns:
        The number of shifts and edits; `enough`, where it is no fewer.
    """
    floor = distance.floor
    if floor >= enough:
        return enough
    shifts = checked = 0
    now, aligned = distance.aligned(output)
    # A shift is an edit itself. So it only pays where there are two to gain by it, or by those after it.
    while now - floor > 1 and shifts + 1 + floor < enough:
        candidates = list(_shifts(output, end, distance.bits, aligned, CANDIDATES - checked))
        checked += len(candidates)
        if checked >= CANDIDATES:
            break
        gain, nearer = distance.best(candidates, now)
        if gain <= 0:
            break
        shifts, output = shifts + 1, nearer
        now, aligned = distance.aligned(output)
    return min(enough, shifts + now)


def best_shift(gains: list[tuple[int, Shift]]) -> tuple[int, str]:
    """What `Distance.best` gives, from what each shift gains."""
    gain, shift = max(gains, default=(0, None))
    return (gain, shift.output) if shift is not None and gain > 0 else (0, "")


def _shifts(output: str, end: int, bits: Bits, aligned: Alignment, room: int) -> Iterator[Shift]:
    """The shifts to look at, in Tercom's order, until there are `room` of them.

    Words are moved where they match the reference, if they are wrong now and what the reference has there is unmet.
    """
    places, wrong, unmet = aligned
    matching = [bits.get(word, 0) for word in output]
    seen = 0
    for start, targets in enumerate(matching):
        if not wrong >> start:
            return
        for target in _places(targets):
            if abs(target - start) > FARTHEST:
                continue
            for length in range(1, _run(matching, start, target) + 1):
                span = (1 << length) - 1
                if not (wrong >> start & span and unmet >> target & span):
                    continue
                if start <= places[target] < start + length:
                    continue
                for place in _beside(places, target, length, end):
                    seen += 1
                    yield Shift(length, -start, -place, _shifted(output, start, length, place))
                if seen >= room:
                    return


def _places(bits: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest on."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _run(matching: list[int], start: int, target: int) -> int:
    """How many words from `start` on match the reference from `target` on, at most as many as are shifted."""
    length = 1
    while length < LONGEST and start + length < len(matching) and matching[start + length] >> target + length & 1:
        length += 1
    return length


def _beside(places: list[int], target: int, length: int, end: int) -> Iterator[int]:
    """The places, each once in a row, behind the words that stand beside the reference's from `target` - 1 on."""
    before = -1
    for beside in range(target - 1, min(target + length, end)):
        place = places[beside] + 1 if beside >= 0 else 0
        if place != before:
            before = place
            yield place


def _shifted(output: str, start: int, length: int, place: int) -> str:
    """The words moved to before `place`, which counts on behind them where it lies among them."""
    rest = output[:start] + output[start + length :]
    target = place - length if place > start + length else place
    return rest[:target] + output[start : start + length] + rest[target:]
