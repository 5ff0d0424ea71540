"""Alignments of two directions become one: golden by hand, and Koehn's pseudo-code with sets as authority.

NLTK's `grow_diag_final_and` is none: it asks `e_new not in aligned` of a dictionary whose keys are "e" and "f", so that
what it gives is always the union.
"""

from pathlib import Path

import numpy as np
import pytest

from foundation.seeds import generator
from modelserving.phrase_based import word_alignment
from modelserving.phrase_based.word_alignment import NONE, parse, symmetrise, symmetrize

Points = set[tuple[int, int]]
AROUND = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def grown(forward: list[int], backward: list[int]) -> Points:
    return {
        (int(i), int(j)) for i, j in np.argwhere(symmetrise(np.array(forward, np.int16), np.array(backward, np.int16)))
    }


def by_sets(forward: list[int], backward: list[int]) -> Points:
    """The pseudo-code of Koehn et al. (2005), word for word."""
    one = {(i, j) for j, i in enumerate(forward) if i != NONE}
    other = {(i, j) for i, j in enumerate(backward) if j != NONE}
    found = one & other

    def bare(i: int, j: int) -> tuple[bool, bool]:
        return all(i != k for k, _ in found), all(j != m for _, m in found)

    size = -1
    while size != len(found):
        size = len(found)
        for i in range(len(backward)):
            for j in range(len(forward)):
                if (i, j) in found:
                    for di, dj in AROUND:
                        if (i + di, j + dj) in one | other and any(bare(i + di, j + dj)):
                            found.add((i + di, j + dj))
    for some in (one, other):
        for point in sorted(some):
            if all(bare(*point)):
                found.add(point)
    return found


def test_what_both_say_stands() -> None:
    assert grown([0, 1, 2], [0, 1, 2]) == {(0, 0), (1, 1), (2, 2)}


def test_a_neighbour_of_a_link_is_added_where_one_of_its_words_has_none() -> None:
    # forward: both target words come from source word 0; backward: only the first
    assert grown([0, 0], [0]) == {(0, 0), (0, 1)}


def test_what_is_no_neighbour_is_added_only_between_words_without_a_link() -> None:
    # both say 0-0; forward says 2-2 (no neighbour, both bare: added), backward 2-0 (0 has a link: not added)
    assert grown([0, NONE, 2], [0, NONE, 0]) == {(0, 0), (2, 2)}


def test_forward_goes_first_at_the_end() -> None:
    # nothing in common; forward 0-1, backward 0-0 and 1-1: forward's is added, then what is still bare on both sides
    assert grown([NONE, 0], [0, 1]) == {(0, 1)}


def test_words_without_any_link_stay_so() -> None:
    assert grown([NONE, NONE], [NONE]) == set()


@pytest.mark.parametrize("seed", range(30))
def test_it_is_what_the_pseudo_code_says(seed: int) -> None:
    rng = generator(seed, "links")
    rows, columns = rng.integers(1, 12, size=2)
    forward, backward = rng.integers(NONE, rows, size=columns).tolist(), rng.integers(NONE, columns, size=rows).tolist()
    assert grown(forward, backward) == by_sets(forward, backward)


def test_lines_of_links_are_read_in_both_directions(tmp_path: Path) -> None:
    pairs = [(["a", "b"], ["x"], 1), (["c"], ["y", "z", "w"], 1), (["d"], ["v"], 1)]
    texts = word_alignment.write(tmp_path, pairs, longest=100)
    forward = parse(np.frombuffer(b"1-0\n0-0 0-2\n\n", np.uint8), texts, forward=True)
    backward = parse(np.frombuffer(b"0-0 1-0\n0-2\n\n", np.uint8), texts, forward=False)
    assert forward.tolist() == [1, 0, NONE, 0, NONE]
    assert backward.tolist() == [0, 0, 2, NONE]
    links = symmetrize(texts, forward, backward)
    assert [links[pair].tolist() for pair in range(3)] == [[[0, 0], [1, 0]], [[0, 2]], []]
