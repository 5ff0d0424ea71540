"""What a rewrite changed, by words."""

import itertools

import pytest
import regex
from support.diff_cases import CASES, random_pairs

from foundation.word_diff import DEPTH, SMALL, line_diff, matches, word_diff, words


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_table(case: dict) -> None:
    assert [list(piece) for piece in word_diff(case["before"], case["after"])] == case["pieces"]


def test_both_texts_come_back_and_no_piece_begins_inside_a_cluster() -> None:
    for before, after in random_pairs():
        pieces = word_diff(before, after)
        assert "".join(text for kind, text in pieces if kind != "new") == before
        assert "".join(text for kind, text in pieces if kind != "gone") == after
        assert all(text for _, text in pieces)
        for whole, left_out in ((before, "new"), (after, "gone")):
            bounds = {match.end() for match in regex.finditer(r"\X", whole)} | {0}
            at = 0
            for _, text in (piece for piece in pieces if piece.kind != left_out):
                assert at in bounds
                at += len(text)


def test_changes_stand_between_texts_that_stayed_first_what_is_gone() -> None:
    for before, after in random_pairs():
        kinds = [kind for kind, _ in word_diff(before, after)]
        assert all(pair not in {("same", "same"), ("new", "gone"), ("new", "new"), ("gone", "gone")}
                   for pair in itertools.pairwise(kinds))  # fmt: skip


def test_matches_are_runs_of_equal_words_in_order() -> None:
    for before, after in random_pairs(seed=7):
        old, new = before.split(), after.split()
        at = past = 0
        for i, k, length in matches(old, new):
            assert i >= at
            assert k >= past
            assert length
            assert old[i : i + length] == new[k : k + length]
            at, past = i + length, k + length


def test_a_small_alignment_is_a_longest_one() -> None:
    old, new = list("abcabba"), list("cbabac")
    assert sum(length for _, _, length in matches(old, new)) == 4


def test_texts_that_are_cut_again_and_again_end() -> None:
    """Each cut uncovers one more word that stands once, so only the limit ends it."""
    rungs = [f"r{at}" for at in range(4 * DEPTH)]
    filler = ["x", "y"] * SMALL
    old = [word for rung in rungs for word in (rung, *filler[:10])] + rungs[1:]
    new = [word for rung in rungs for word in (*filler[1:12], rung)] + rungs[1:]
    assert all(old[i : i + length] == new[k : k + length] for i, k, length in matches(old, new))


def test_a_text_is_its_words_with_their_spaces() -> None:
    for text in (text for pair in random_pairs(seed=3) for text in pair):
        assert "".join(word.text + word.space for word in words(text)) == text
    assert [word.text for word in words(" हिन्दी don't 3.5, צה\"ל")] == ["", "हिन्दी", "don't", "3.5", ",", 'צה"ל']


def test_what_changed_in_lines_stays_in_its_line():
    before, after = "# What\n\nBe kind.\r\n* No slang.\n* No facts.\n", "# What\n\nBe brief.\n* No facts.\n"
    pieces = line_diff(before, after)
    changed = [(piece.kind, piece.text) for piece in pieces if piece.kind != "same"]
    assert changed == [("gone", "kind"), ("new", "brief"), ("gone", "* No slang.\n")]
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after
