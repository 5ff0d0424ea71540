"""The phrase pairs of aligned sentences, against NLTK and by hand."""

from pathlib import Path

import numpy as np
import pytest
from nltk.translate.phrase_based import phrase_extraction

from foundation.seeds import generator
from modelserving.phrase_based import word_alignment
from modelserving.phrase_based.table_builder import APART, MONOTONE, SWAP, extract_phrases, lexicon
from modelserving.phrase_based.word_alignment import Links

SOURCE = ["michael", "assumes", "that", "he", "will", "stay", "in", "the", "house"]
TARGET = ["michael", "geht", "davon", "aus", ",", "dass", "er", "im", "haus", "bleibt"]
LINKED = [(0, 0), (1, 1), (1, 2), (1, 3), (2, 5), (3, 6), (4, 9), (5, 9), (6, 7), (7, 7), (8, 8)]
"""Koehn's own example (Statistical Machine Translation, figure 5.3)."""


def rows_of(folder: Path, source: list[str], target: list[str], points: list[tuple[int, int]], longest: int = 7):
    texts = word_alignment.write(folder, [(source, target, 3)], longest=100)
    links = Links(np.array(points, dtype=np.int16).reshape(-1, 2), np.array([0, len(points)]))
    return np.concatenate(
        list(extract_phrases(texts, links, lexicon(texts, links, lambda: None), longest, lambda: None))
    )


def spans(rows) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    return {
        (
            (int(row["source_at"]), int(row["source_at"]) + int(row["source_length"])),
            (int(row["target_at"]), int(row["target_at"]) + int(row["target_length"])),
        )
        for row in rows
    }


def test_koehns_example_has_the_pairs_of_nltk(tmp_path: Path) -> None:
    expected = {found[:2] for found in phrase_extraction(" ".join(SOURCE), " ".join(TARGET), LINKED)}
    assert len(expected) == 24
    assert spans(rows_of(tmp_path, SOURCE, TARGET, LINKED, longest=10)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_random_links_have_the_pairs_of_nltk(tmp_path: Path, seed: int) -> None:
    rng = generator(seed, "extraction")
    rows, columns = rng.integers(1, 10, size=2).tolist()
    points = sorted({(int(rng.integers(rows)), int(rng.integers(columns))) for _ in range(rng.integers(1, 12))})
    source, target = [f"s{i}" for i in range(rows)], [f"t{j}" for j in range(columns)]
    every = {found[:2] for found in phrase_extraction(" ".join(source), " ".join(target), points)}
    for longest in (3, 10):
        expected = {pair for pair in every if all(end - start <= longest for start, end in pair)}
        found = rows_of(tmp_path / str(longest), source, target, points, longest)
        assert spans(found) == expected
        assert len(found) == len(expected)


def test_lexical_weights_are_means_over_the_links_of_each_word(tmp_path: Path) -> None:
    # 'b' is linked to x and y, 'a' to x; z has no link
    rows = rows_of(tmp_path, ["a", "b"], ["x", "y", "z"], [(0, 0), (1, 0), (1, 1)])
    whole = next(row for row in rows if row["source_length"] == 2 and row["target_length"] == 3)
    # w(x|a) = 1, w(x|b) = w(y|b) = 1/2, w(z|nothing) = 1: (1 + 1/2)/2 * 1/2 * 1
    assert np.exp(whole["forward"]) == pytest.approx(3 / 8)
    # w(a|x) = w(b|x) = 1/2, w(b|y) = 1: 1/2 * (1/2 + 1)/2
    assert np.exp(whole["backward"]) == pytest.approx(3 / 8)


def test_orientation_is_told_by_the_links_at_the_corners(tmp_path: Path) -> None:
    # a b c -> y x z: a and b change places, c stays
    rows = rows_of(tmp_path, ["a", "b", "c"], ["y", "x", "z"], [(0, 1), (1, 0), (2, 2)])
    by_source = {int(row["source_at"]): row for row in rows if row["source_length"] == 1}
    assert [(int(by_source[i]["before"]), int(by_source[i]["after"])) for i in range(3)] == [
        (SWAP, APART),  # behind y, which is b's: swapped; before z, which is not beside a
        (APART, SWAP),
        (APART, MONOTONE),
    ]
    both = next(row for row in rows if (row["source_at"], row["source_length"]) == (0, 2))
    assert (both["before"], both["after"]) == (MONOTONE, MONOTONE)


def test_a_pair_without_links_has_no_phrases(tmp_path: Path) -> None:
    assert not len(rows_of(tmp_path, ["a"], ["b"], []))
