"""Examples as rows of numbers on disk, and back."""

from collections.abc import Iterable, Iterator, Sequence

from modelserving.lexical_simplification.marked_sentences import Example, Pieces

UNTOLD = -1  # which full form is right


def packed(example: Example) -> list[int]:
    """words | which are located | place, right form, full forms of each word that has some | rewrites of the runs."""
    found = [*_nested(example.words), *map(int, example.located), len(example.forms)]
    for place, forms in example.forms.items():
        found += [place, example.right.get(place, UNTOLD), *_nested(forms)]
    return found + _nested(example.rewrites)


def unpacked(row: Iterable[int]) -> Example:
    """The example of `packed`'s row."""
    numbers = iter(map(int, row))
    words = _read_nested(numbers)
    located = [next(numbers) == 1 for _ in words]
    forms, right = dict[int, list[Pieces]](), dict[int, int]()
    for _ in range(next(numbers)):
        place, told = next(numbers), next(numbers)
        forms[place] = _read_nested(numbers)
        right |= {} if told == UNTOLD else {place: told}
    return Example(words, forms, located, right, _read_nested(numbers))


def _nested(rows: Sequence[Sequence[int]]) -> list[int]:
    return [len(rows), *(number for row in rows for number in (len(row), *row))]


def _read_nested(numbers: Iterator[int]) -> list[Pieces]:
    return [[next(numbers) for _ in range(next(numbers))] for _ in range(next(numbers))]
