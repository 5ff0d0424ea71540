"""Edit distance between texts: TER's shift search, alignment and beam, Tercom's words, masked concepts."""

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from evaluation.languages import lowered
from evaluation.ngrams import sacrebleu_version
from foundation.lazy_import import lazy_import

# The alignment of words of two texts in their edit distance, a bit a word of the reference.
#
# After Hyyrö (2003), "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances". Ties
# are broken as in TER, from the end: two words side by side, then a superfluous word of the output, then a missing one.

Bits = Mapping[str, int]


class Alignment(NamedTuple):
    """`places[j]` is the output's word beside the reference's word j, or where that has none the last one before it.

    `wrong` has a bit for each of the output's words that is not matched, `unmet` for each of the reference's.
    """

    places: list[int]
    wrong: int
    unmet: int


def bits_of(reference: Iterable[str]) -> dict[str, int]:
    """A bit for each place of each word (a character)."""
    bits: dict[str, int] = {}
    for place, word in enumerate(reference):
        bits[word] = bits.get(word, 0) | 1 << place
    return bits


def edit_distance(output: str, end: int, bits: Bits) -> int:
    """The edit distance to a reference of `end` words, at least one, where `bits` say which words match."""
    return end + sum((up >> end - 1 & 1) - (down >> end - 1 & 1) for _, _, up, down in _rows(output, end, bits))


def align(output: str, end: int, bits: Bits) -> Alignment:
    """How the output stands beside that reference."""
    rows = list(_rows(output, end, bits))
    places, wrong, unmet = [-1] * end, 0, 0
    i, j = len(rows), end
    while i and j:
        same, level, up, _ = rows[i - 1]
        bit = j - 1
        if same >> bit & 1 or not level >> bit & 1:
            i, j = i - 1, bit
            places[bit] = i
            if not same >> bit & 1:
                wrong, unmet = wrong | 1 << i, unmet | 1 << bit
        elif up >> bit & 1:
            i -= 1
            wrong |= 1 << i
        else:
            j = bit
            places[bit] = i - 1
            unmet |= 1 << bit
    return Alignment(places, wrong | (1 << i) - 1, unmet | (1 << j) - 1)


def _rows(output: str, end: int, bits: Bits) -> Iterable[tuple[int, int, int, int]]:
    """For each word of the output and each of the reference: whether they match, whether the distance is that of the
    texts before both, and whether it is one more or one less than that of the text before the output's word."""
    every = (1 << end) - 1
    more, less = every, 0
    for word in output:
        same = bits.get(word, 0)
        level = ((((same & more) + more) ^ more) | same | less) & every
        up, down = (less | ~(level | more)) & every, level & more
        yield same, level, up, down
        moved = up << 1 | 1
        more, less = (down << 1 | ~(level | moved)) & every, level & moved


MASK = "\ue000"
"""One character that stands for any concept; of Unicode's private use, so that no text has it."""


def mask_concepts(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with one MASK in the place of each concept, whatever its length.

    `places` are start and end in characters, in order and not overlapping, as a `ConceptLinker` gives them.
    """
    parts, after = [], 0
    for start, end in places:
        parts += [text[after:start], MASK]
        after = end
    return "".join([*parts, text[after:]])


# TER's shift search: the fewest edits, with a greedy search for words to move, as Tercom and sacreBLEU have it.
#
# A text is a string with one character a different word, so that a shift is a few slices.

LONGEST = 10  # words of a shift
FARTHEST = 50  # places between a shift's words and where they stand in the reference
CANDIDATES = 1000  # shifts that are looked at, over all rounds


class Shift(NamedTuple):
    """Words moved, and the output then. The greater of two with equal gain is taken: long, early, to the left."""

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
        """The gain of the best shift over `now`, and its output; (0, "") where no shift gains."""


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
    # A shift is an edit itself. So it pays only if it, or the shifts after it, gain two edits.
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
    """The result of `Distance.best`, from the gain of each shift."""
    gain, shift = max(gains, default=(0, None))
    return (gain, shift.output) if shift is not None and gain > 0 else (0, "")


def _shifts(output: str, end: int, bits: Bits, aligned: Alignment, room: int) -> Iterator[Shift]:
    """The shifts to look at, in Tercom's order, until there are `room` of them.

    Words are moved to where they match the reference, if they are wrong now and the reference's words there are unmet.
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


# Tercom's words and the edit rate over them, as sacreBLEU has both.

tokenizer_module = lazy_import("sacrebleu.tokenizers.tokenizer_ter")

Floats = NDArray[np.float64]


class TercomSettings(NamedTuple):
    """How Tercom splits texts into words."""

    lowercase: bool
    normalized: bool
    no_punct: bool
    asian: bool = False
    language: str = ""


def tercom_settings(chosen: Mapping[str, Any], language: str = "") -> TercomSettings:
    """Those of a metric's settings `lowercase`, `normalized`, `no_punct` and `asian`, which needs normalized texts."""
    asian = chosen.get("asian") == "yes"
    normalized = asian or bool(chosen["normalized"])
    return TercomSettings(bool(chosen["lowercase"]), normalized, bool(chosen["no_punct"]), asian, language)


def tercom_words(text: str, settings: TercomSettings) -> list[str]:
    """The words as Tercom's tokenizer has them."""
    small = lowered(text, settings.language) if settings.lowercase else text
    words: list[str] = _tokenizer(settings)(small.rstrip()).split()
    return words


def tercom_signature(settings: TercomSettings) -> dict[str, str]:
    """The signature's parts for case and tokens, sacreBLEU's."""
    return {
        "case": "lc" if settings.lowercase else "mixed",
        "tok": "tercom",
        "norm": "yes" if settings.normalized else "no",
        "punct": "no" if settings.no_punct else "yes",
        "asian": "yes" if settings.asian else "no",
        "lib": f"sacrebleu-{sacrebleu_version()}",
    }


def edit_rate(counts: Floats) -> Floats:
    """Edits to 100 words of the references.

    Args:
        counts: (..., 2), edits and the references' length in words.

    Returns:
        (...); without any word in the references 100, or 0 where nothing is edited.
    """
    edits, length = counts[..., 0], counts[..., 1]
    return np.where(length > 0, 100 * edits / np.where(length > 0, length, 1), np.where(edits > 0, 100.0, 0.0))


def as_characters(*texts: Sequence[str]) -> list[str]:
    """The texts with one character for each different word, the same in all of them."""
    characters: dict[str, str] = {}
    return ["".join(characters.setdefault(word, chr(len(characters))) for word in text) for text in texts]


@lru_cache(maxsize=8)
def _tokenizer(settings: TercomSettings) -> Any:
    return tokenizer_module.TercomTokenizer(
        normalized=settings.normalized,
        no_punct=settings.no_punct,
        asian_support=settings.asian,
        case_sensitive=not settings.lowercase,
    )


# The distance of TER: words match where they are equal, and long texts are compared within sacreBLEU's beam.

WIDTH = 25
FAR = 1 << 30  # more than any distance


class Beam(NamedTuple):
    """For each of the output's words the reference's lengths (from, to) that are looked at, and the bound."""

    rows: list[tuple[int, int]]
    plain_below: float


@lru_cache(maxsize=4096)
def beam(output: int, reference: int) -> Beam:
    """The beam for an output and a reference of so many words."""
    ratio = reference / output if output else 1
    width = math.ceil(ratio / 2 + WIDTH) if ratio / 2 > WIDTH else WIDTH
    rows = []
    for i in range(1, output + 1):
        middle = math.floor(i * ratio)
        to = reference + 1 if i == output else min(reference + 1, middle + width)
        rows.append((max(0, middle - width), to))
    return Beam(rows, min((_outside(i, *row, output, reference) for i, row in enumerate(rows, 1)), default=math.inf))


def _outside(i: int, low: int, to: int, output: int, reference: int) -> float:
    """The fewest insertions and deletions on a way that leaves the beam at the output's word i."""
    longer = reference - output

    def through(aside: int) -> int:
        return abs(aside) + abs(longer - aside)

    left = through(min(low - 1 - i, 0, longer)) if low > 0 else math.inf
    right = through(max(to - i, 0, longer)) if to <= reference else math.inf
    return min(left, right)


def align_within_beam(output: str, reference: str) -> tuple[int, Alignment]:
    """The distance within the beam, and which words stand beside each other."""
    costs = [list(range(len(reference) + 1))]
    for word, (low, to) in zip(output, beam(len(output), len(reference)).rows, strict=True):
        before, row = costs[-1], [FAR] * (len(reference) + 1)
        for j in range(low, to):
            row[j] = before[j] + 1
            if j:
                row[j] = min(row[j], before[j - 1] + (word != reference[j - 1]), row[j - 1] + 1)
        costs.append(row)
    return costs[-1][-1], _traced(output, reference, costs)


def _traced(output: str, reference: str, costs: list[list[int]]) -> Alignment:
    places, wrong, unmet = [-1] * len(reference), 0, 0
    i, j = len(output), len(reference)
    while i and j:
        cost, differs = costs[i][j], output[i - 1] != reference[j - 1]
        if cost == costs[i - 1][j - 1] + differs:
            i, j = i - 1, j - 1
            places[j] = i
            wrong, unmet = wrong | differs << i, unmet | differs << j
        elif cost == costs[i - 1][j] + 1:
            i -= 1
            wrong |= 1 << i
        else:
            j -= 1
            places[j] = i - 1
            unmet |= 1 << j
    return Alignment(places, wrong | (1 << i) - 1, unmet | (1 << j) - 1)


def beam_distances(outputs: list[str], reference: str) -> list[int]:
    """The distances of outputs of one length within the beam."""
    words, wanted = np.array([_codes(output) for output in outputs]), _codes(reference)
    before = np.broadcast_to(np.arange(len(reference) + 1), (len(outputs), len(reference) + 1))
    for i, (low, to) in enumerate(beam(len(outputs[0]), len(reference)).rows):
        row = np.full(before.shape, FAR)
        row[:, low:to] = before[:, low:to] + 1
        first = max(low, 1)
        beside = before[:, first - 1 : to - 1] + (words[:, i : i + 1] != wanted[first - 1 : to - 1])
        np.minimum(row[:, first:to], beside, out=row[:, first:to])
        steps = np.arange(low, to)
        row[:, low:to] = np.minimum.accumulate(row[:, low:to] - steps, axis=1) + steps  # words that are missing
        before = row
    return [int(value) for value in before[:, -1]]


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


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
        """A distance within the beam is at least the plain one, so only outputs of low plain distance are computed."""
        plain = [(Levenshtein.distance(shift.output, self.reference), shift) for shift in shifts]
        sure = [(now - far, shift) for far, shift in plain if far < min(now, self._plain_below)]
        if sure or now <= self._plain_below:
            return best_shift(sure)
        left = [shift for far, shift in plain if far < now]
        if not left:
            return 0, ""
        within = beam_distances([shift.output for shift in left], self.reference)
        return best_shift([(now - far, shift) for far, shift in zip(within, left, strict=True)])


# The distance of TER with stems and synonyms: words match where they have a stem or a sense in common.

Keys = Callable[[str], Sequence[object]]
"""From a word to all that makes two words match: itself, its stem and its senses."""


def terp_edits(output: Sequence[str], references: Sequence[Sequence[str]], keys: Keys) -> int:
    """Edits and shifts from the words of an output to those of the nearest reference, of one or more."""
    (characters,) = as_characters(output)
    distances = [SimilarMatches(output, characters, reference, keys) for reference in references]
    return fewest_edits(characters, [(distance, distance.end) for distance in distances])


class SimilarMatches:
    """Words match if they share a stem or a sense. Two words that match a third need not match each other."""

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
