"""Edits as the ids that a network writes: an ADD is its word's id, STOP is END, and two ids beyond the vocabulary."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from modelserving.edit_operations.oracle_edits import DELETE, KEEP, Edit, Operation
from modelserving.training.vocabulary import BEGIN, END, PAD, UNKNOWN, Vocabulary

OPERATIONS = 2  # KEEP and DELETE, which stand beyond the vocabulary's words


def keep_id(known: int) -> int:
    """The id of KEEP beside so many known words."""
    return known


def delete_id(known: int) -> int:
    """The id of DELETE beside so many known words."""
    return known + 1


def label_ids(edits: Iterable[Edit], words: Vocabulary) -> list[int]:
    """The ids of the edits up to STOP, without its own: END stands behind each row of a batch."""
    operations = {Operation.KEEP: keep_id(len(words)), Operation.DELETE: delete_id(len(words))}
    found = []
    for operation, word in edits:
        if operation is Operation.STOP:
            break
        found.append(operations[operation] if operation in operations else words.ids([word])[0])
    return found


def edits_of(labels: Iterable[int], words: Vocabulary) -> list[Edit]:
    """The edits that ids say, without STOP."""
    operations = {keep_id(len(words)): KEEP, delete_id(len(words)): DELETE}
    return [operations.get(label) or Edit(Operation.ADD, words.words[label]) for label in labels]


def label_weights(
    rows: Iterable[Sequence[int] | NDArray[np.int32]], known: int, balance: bool, add: float, keep: float, delete: float
) -> NDArray[np.float32]:
    """What the loss of each label counts (known + 2,): nothing of words that are not known, as in the authors' program.

    Args:
        rows: The labels of each pair, without STOP.
        known: Words of the vocabulary.
        balance: Whether each kind of edit counts by the inverse of its frequency, 1 in the mean over all labels.
        add: What an ADD counts beside that; `keep` and `delete` likewise. A STOP counts 1.
    """
    found = np.full(known + OPERATIONS, add, dtype=np.float64)
    found[[keep_id(known), delete_id(known), END]] = keep, delete, 1.0
    if balance:
        kinds = np.zeros(known + OPERATIONS, dtype=np.int64)  # ADD
        kinds[[keep_id(known), delete_id(known), END]] = 1, 2, 3
        labels, pairs = np.zeros(known + OPERATIONS, dtype=np.int64), 0
        for row in rows:
            np.add.at(labels, row, 1)
            pairs += 1
        labels[[PAD, UNKNOWN, BEGIN]] = 0
        labels[END] = pairs
        times = np.bincount(kinds, weights=labels, minlength=4)
        there = times > 0
        shares = np.divide(times.sum(), there.sum() * times, out=np.ones(4), where=there)
        found *= shares[kinds]
    found[[PAD, UNKNOWN, BEGIN]] = 0.0
    return found.astype(np.float32)
