"""Edits as ids: labels, what they weigh, batches on disk, and what is left out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foundation.errors import UserError
from modelserving.edit_operations import DELETE, KEEP, STOP, Edit, Operation, edits_of, label_ids, label_weights
from modelserving.nets.edit_programmer import EditBatches, edit_batches, source_batch
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import Pairs
from modelserving.training.process_group import ProcessGroup
from modelserving.training.tokenization import END, UNKNOWN, Vocabularies, Vocabulary, WordTokenizer
from modelserving.transfer.edit_nts import EditOptions

WORDS = Vocabulary(["a", "b", "c"])
VOCABULARIES = Vocabularies(WordTokenizer(), WORDS, WORDS)
PAIRS = Pairs(["a b c", "a new b", "c c", "b"], ["a c c", "a b", "c c", "odd b"])


class Heard(Callbacks):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.said: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)


def made(folder: Path, pairs: Pairs = PAIRS, **given: Any) -> tuple[EditBatches, Heard]:
    heard = Heard(folder)
    return edit_batches(pairs, VOCABULARIES, EditOptions(**given), heard, ProcessGroup()), heard


def test_labels_are_words_and_two_ids_beyond_them() -> None:
    edits = [KEEP, DELETE, Edit(Operation.ADD, "c"), Edit(Operation.ADD, "odd"), STOP]
    assert label_ids(edits, WORDS) == [7, 8, 6, UNKNOWN]
    assert edits_of([7, 8, 6], WORDS) == edits[:3]


def test_labels_weigh_by_the_inverse_of_their_kinds_frequency() -> None:
    rows = [
        [7, 7, 7, 5],
        [8, 7, 7, 6, 4],
        [7, UNKNOWN, 8, 8],
    ]  # KEEP 6, DELETE 3, ADD 3 (one more is not known), STOP 3
    found = label_weights(rows, len(WORDS), balance=True, add=2.0, keep=1.0, delete=0.5)
    assert found.tolist() == pytest.approx([0, 0, 0, 15 / 12, *[2 * 15 / 12] * 3, 15 / 24, 0.5 * 15 / 12])
    plain = label_weights(rows, len(WORDS), balance=True, add=1.0, keep=1.0, delete=1.0)
    labels = np.concatenate([*rows, [END] * 3])
    assert plain[labels].sum() == pytest.approx(15), "on the whole they weigh 1 each"
    assert label_weights(rows, len(WORDS), False, 10.0, 1.0, 0.1).tolist() == pytest.approx(
        [0, 0, 0, 1, 10, 10, 10, 1, 0.1]
    )


def test_a_kind_that_never_comes_weighs_as_it_is_and_the_others_share_the_whole() -> None:
    found = label_weights([[7, 7, 7]], len(WORDS), balance=True, add=1.0, keep=1.0, delete=1.0)
    assert found.tolist() == pytest.approx([0, 0, 0, 2, 1, 1, 1, 2 / 3, 1])


def test_a_batch_has_sources_with_an_end_and_the_edits_between(tmp_path: Path) -> None:
    batches, heard = made(tmp_path)
    batch = batches.batch(np.array([0, 1, 2]))
    assert batch.sources.tolist() == [[4, 5, 6, END], [4, UNKNOWN, 5, END], [5, END, 0, 0]]
    assert batch.source_lengths.tolist() == [4, 4, 2]
    assert batch.edits.tolist() == [[7, 6, 8, END], [7, 8, END, 0], [UNKNOWN, END, 0, 0]]
    assert batch.edit_lengths.tolist() == [4, 3, 1]
    assert ((batch.weights > 0).sum(1) == batch.edit_lengths).all()
    assert heard.said == ["3 pairs; 1 left out that are empty or longer than 100 words, or the same on both sides."]


def test_equal_pairs_are_learnt_where_they_are_asked_for(tmp_path: Path) -> None:
    batches, heard = made(tmp_path, identical=True)
    assert batches.batch(np.array([2])).edits.tolist() == [[END]]
    assert heard.said == ["4 pairs; 0 left out that are empty or longer than 100 words."]


def test_nothing_but_equal_pairs_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^train: No pair has different texts of 1 to 100 words"):
        made(tmp_path, Pairs(["a b"], ["a b"]))


def test_sources_alone_end_too() -> None:
    batch = source_batch([["a", "odd"], ["c"]], VOCABULARIES)
    assert batch.sources.tolist() == [[4, UNKNOWN, END], [6, END, 0]]
    assert batch.source_lengths.tolist() == [3, 2]
