"""The cells of grids: a hypothesis with one more phrase, weighed, and which of them have equal futures."""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.cube_grids import same_coverage
from modelserving.phrase_based.hash_set import EMPTY, mix_bits
from modelserving.phrase_based.jit import within
from modelserving.phrase_based.lattice import Lattice
from modelserving.phrase_based.ngram_scores import Ngrams, follow
from modelserving.phrase_based.phrase_table import Floats, Offsets, Records, WordIds
from modelserving.phrase_based.translation_options import DISTORTION, MODEL, TranslationOptions

CELL = np.dtype(
    [
        ("grid", "i8"), ("row", "i8"), ("column", "i8"),
        ("next", "i8"),  # once it is taken, another of an equal future, -1 at the end
        ("score", "f8"),
        ("model", "f8"),  # what the language model says, not weighed
        ("priority", "f8"),  # the score with the future cost
    ]
)  # fmt: skip


class Board(NamedTuple):
    """All grids of a stack, the cells that were weighed so far, and the language model's `states` after these."""

    grids: Records
    cells: Records
    states: WordIds


class Task(NamedTuple):
    """What is asked at every cell."""

    options: TranslationOptions
    grams: Ngrams
    weights: Floats


@within
def score_cell(board: Board, at: int, grid: int, row: int, column: int, lattice: Lattice, task: Task) -> None:
    """Write the cell at a grid's row (a node) and column (an option)."""
    options, place, before = task.options, board.grids[grid], lattice.nodes[row]
    option = options.each[column]
    words = options.words[option["first"] : option["last"]]
    model = follow(task.grams, lattice.states[row], words, board.states[at], board.states[-1])
    score = before["score"] + option["score"] + task.weights[MODEL] * model
    score += options.leaning[column, place["orientation"]] - task.weights[DISTORTION] * place["jump"]
    if before["option"] >= 0:
        score += options.leaning[before["option"], 3 + place["orientation"]]
    one = board.cells[at]
    one["grid"], one["row"], one["column"], one["next"] = grid, row, column, -1
    one["score"], one["model"], one["priority"] = score, model, score + place["ahead"]


@within
def recombination_slot(slots: Offsets, heads: Offsets, cell: int, board: Board, options: TranslationOptions) -> int:
    """The slot of a cell's future, which holds the number of a head (a cell of that future), or EMPTY."""
    grid, last = board.grids[board.cells[cell]["grid"]], len(slots) - 1
    code = mix_bits(grid["gap"]) ^ grid["mask"]
    code = mix_bits(mix_bits(code) ^ (grid["end"] + 1)) ^ (grid["start"] + 1)
    for known in board.states[cell]:
        code = mix_bits(code) ^ known
    slot = mix_bits(code) & last
    while slots[slot] != EMPTY and not recombinable(cell, heads[slots[slot]], board, options):
        slot = (slot + 1) & last
    return slot


@within
def recombinable(one: int, other: int, board: Board, options: TranslationOptions) -> bool:
    """Whether whatever follows will cost both cells the same."""
    a, b = board.cells[one], board.cells[other]
    if not same_coverage(board.grids[a["grid"]], board.grids[b["grid"]]):
        return False
    for i in range(board.states.shape[1]):
        if board.states[one, i] != board.states[other, i]:
            return False
    unlike = 0
    for i in range(3, 6):
        unlike += options.leaning[a["column"], i] != options.leaning[b["column"], i]
    return unlike == 0
