"""The beam search over stacks by the number of translated words (Koehn 2004), filled by cube pruning.

A stack takes the best cells of all grids that lead into it, from their corners on (Huang and Chiang 2007): when a cell
is taken, the one to its right is weighed, and from the first column the one below it. Cells with equal futures are one
hypothesis; the best hypotheses stay.
"""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.jit import EMPTY, compiled, copy, mix_bits, pop, push, within
from modelserving.phrase_based.ngram_scores import Ngrams, ending, follow
from modelserving.phrase_based.phrase_table import Floats, Offsets, Records, WordIds
from modelserving.phrase_based.translation_options import (
    DISTORTION,
    MODEL,
    FutureCost,
    Lattice,
    TranslationOptions,
    cost_of_rest,
    cover,
    future_cost,
    is_free,
    lattice,
    orientation,
)

# The ways to fill a stack: all hypotheses of one coverage and last phrase, with all translations of one free span.
#
# Each such pair is a grid, hypotheses down and translations across, both the best first (Huang and Chiang 2007).

GRID = np.dtype(
    [
        ("row", "i8"), ("last_row", "i8"),  # rows are the nodes from the first to before the last
        ("column", "i8"), ("last_column", "i8"),  # columns are options
        ("gap", "i8"), ("mask", "i8"), ("start", "i8"), ("end", "i8"),  # as of the nodes that come of it
        ("jump", "i8"),  # words that are jumped over
        ("orientation", "i8"),  # to the phrase before
        ("ahead", "f8"),  # the future cost from there
    ]
)  # fmt: skip


class Groups(NamedTuple):
    """Group g's nodes are those from `first[g]` to `first[g + 1]`; stack s has the groups from `of_stack[s]` to
    `of_stack[s + 1]`."""

    first: Offsets
    of_stack: Offsets


@within
def lay_out_grids(
    found: Records,
    stack: int,
    groups: Groups,
    lattice: Lattice,
    options: TranslationOptions,
    costs: FutureCost,
    reach: int,
    swaps: bool,
) -> int:
    """Lay out the grids that lead into a stack; their number. Without `swaps` starts of phrases do not matter."""
    count, words = 0, len(costs.rest) - 1
    for size in range(1, min(options.longest, stack) + 1):
        for group in range(groups.of_stack[stack - size], groups.of_stack[stack - size + 1]):
            node = lattice.nodes[groups.first[group]]
            gap, past = node["gap"], node["end"] + 1
            for start in range(gap, min(gap + reach, words - size) + 1):
                end, place = start + size - 1, start * options.longest + size - 1
                if start > gap and end + 1 - gap > reach:
                    break  # the way back to the gap would be too long
                if options.spans[place] == options.spans[place + 1] or abs(start - past) > reach:
                    continue
                if is_free(gap, node["mask"], start, end):
                    one = found[count]
                    one["row"], one["last_row"] = groups.first[group], groups.first[group + 1]
                    one["column"], one["last_column"] = options.spans[place], options.spans[place + 1]
                    one["jump"] = abs(start - past)
                    one["orientation"] = orientation(start, end, node["start"], past - 1)
                    gap_then, mask = cover(gap, node["mask"], start, end)
                    one["gap"], one["mask"], one["end"] = gap_then, mask, end
                    one["start"] = start if swaps and is_free(gap_then, mask, start - 1, start - 1) else -1
                    one["ahead"] = cost_of_rest(costs, gap_then, mask)
                    count += 1
    return count


@within
def same_coverage(one: Records, other: Records) -> bool:
    """Whether two grids lead to the same coverage and last phrase."""
    return bool(
        one["gap"] == other["gap"]
        and one["mask"] == other["mask"]
        and one["end"] == other["end"]
        and one["start"] == other["start"]
    )


CELL = np.dtype(
    [
        ("grid", "i8"), ("row", "i8"), ("column", "i8"),
        ("next", "i8"),  # once it is taken, another of an equal future, -1 at the end
        ("score", "f8"),
        ("model", "f8"),  # the language model's score, not weighed
        ("priority", "f8"),  # the score with the future cost
    ]
)  # fmt: skip


class Board(NamedTuple):
    """All grids of a stack, the cells weighed so far, and the language model's `states` after these."""

    grids: Records
    cells: Records
    states: WordIds


class Task(NamedTuple):
    """The arguments for every cell."""

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
    """The slot of a cell's future; it holds the number of a head (a cell of that future), or EMPTY."""
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
    """Whether any continuation costs both cells the same."""
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


class Limits(NamedTuple):
    """Hypotheses of a stack, words that may be jumped over, cells that are taken for a stack at most, and how far below
    the best one (a logarithm) a hypothesis is dropped."""

    stack: int
    reach: int
    cells: int
    below: float


@compiled
def stack_search(
    options: TranslationOptions, grams: Ngrams, begin: WordIds, weights: Floats, swaps: bool, limits: Limits
) -> Lattice:
    """The lattice of a sentence of at least one word; `begin` is the language model's state before it.

    Time and memory are linear in the sentence: each stack is bounded.
    """
    task = Task(options, grams, weights)
    words = (len(options.spans) - 1) // options.longest
    costs = future_cost(options, limits.reach)
    made = lattice(words * limits.stack + 2, words * limits.cells + limits.stack, begin)
    groups = Groups(np.zeros(words * limits.stack + 2, dtype=np.int64), np.zeros(words + 2, dtype=np.int64))
    groups.first[1], groups.of_stack[1] = 1, 1
    most = options.longest * limits.stack * (limits.reach + 1)
    room = most + 2 * limits.cells
    board = Board(
        np.empty(most, dtype=GRID), np.empty(room, dtype=CELL), np.empty((room + 1, len(begin)), dtype=np.int32)
    )
    heap, heads = np.empty(room, dtype=np.int64), np.empty(limits.cells, dtype=np.int64)
    slots = np.empty(1 << (int(np.log2(limits.cells)) + 2), dtype=np.int64)
    for stack in range(1, words + 1):
        count = lay_out_grids(board.grids, stack, groups, made, options, costs, limits.reach, swaps)
        found = _taken(count, heap, slots, heads, board, made, task, limits)
        _keep(stack, heads[:found], board, made, groups, limits)
    return _ended(groups.first[groups.of_stack[words]], groups.first[groups.of_stack[words + 1]], made, task)


@within
def _taken(
    grids: int,
    heap: Offsets,
    slots: Offsets,
    heads: Offsets,
    board: Board,
    lattice: Lattice,
    task: Task,
    limits: Limits,
) -> int:
    """Take cells, the best first; the number of hypotheses. `heads` are then their best cells."""
    cells, weighed, waiting, found = board.cells, grids, 0, 0
    for grid in range(grids):
        score_cell(board, grid, grid, board.grids[grid]["row"], board.grids[grid]["column"], lattice, task)
        waiting = push(heap, waiting, cells, grid)
    slots[:] = EMPTY
    top = cells[heap[0]]["priority"]
    for _ in range(limits.cells):
        if not waiting or cells[heap[0]]["priority"] < top + limits.below:
            break
        cell = pop(heap, waiting, cells)
        waiting -= 1
        top = max(top, cells[cell]["priority"])
        found = _join(cell, found, slots, heads, board, task.options)
        grid, row, column = cells[cell]["grid"], cells[cell]["row"], cells[cell]["column"]
        if column + 1 < board.grids[grid]["last_column"]:
            score_cell(board, weighed, grid, row, column + 1, lattice, task)
            waiting = push(heap, waiting, cells, weighed)
            weighed += 1
        if column == board.grids[grid]["column"] and row + 1 < board.grids[grid]["last_row"]:
            score_cell(board, weighed, grid, row + 1, column, lattice, task)
            waiting = push(heap, waiting, cells, weighed)
            weighed += 1
    return found


@within
def _join(cell: int, found: int, slots: Offsets, heads: Offsets, board: Board, options: TranslationOptions) -> int:
    """Put a cell into the hypothesis of its future, at its head if it is the best; the number of hypotheses."""
    slot = recombination_slot(slots, heads, cell, board, options)
    if slots[slot] == EMPTY:
        slots[slot], heads[found] = found, cell
        return found + 1
    head = heads[slots[slot]]
    if board.cells[cell]["priority"] > board.cells[head]["priority"]:
        board.cells[cell]["next"], heads[slots[slot]] = head, cell
    else:
        board.cells[cell]["next"], board.cells[head]["next"] = board.cells[head]["next"], cell
    return found


@within
def _keep(stack: int, heads: Offsets, board: Board, lattice: Lattice, groups: Groups, limits: Limits) -> None:
    """Make the best hypotheses nodes, group by group, the best of a group first."""
    worth = np.array([board.cells[head]["priority"] for head in heads])
    order = np.argsort(-worth, kind="mergesort")[: limits.stack]
    order = heads[order[worth[order] >= worth.max() + limits.below]]
    group, count = _grouped(order, board)
    first = groups.of_stack[stack]
    groups.of_stack[stack + 1] = first + count
    node = groups.first[first]
    for one in range(count):
        for head in order[group == one]:
            _write(node, head, board, lattice)
            node += 1
        groups.first[first + one + 1] = node


@within
def _grouped(heads: Offsets, board: Board) -> tuple[Offsets, int]:
    """The number of each one's group, and the number of groups."""
    group, samples, count = np.empty(len(heads), dtype=np.int64), np.empty(len(heads), dtype=np.int64), 0
    for i in range(len(heads)):
        grid, at = board.cells[heads[i]]["grid"], 0
        while at < count and not same_coverage(board.grids[grid], board.grids[samples[at]]):
            at += 1
        if at == count:
            samples[at] = grid
            count += 1
        group[i] = at
    return group, count


@within
def _write(node: int, head: int, board: Board, lattice: Lattice) -> None:
    """Write a hypothesis with its arcs, that of its best cell first."""
    best, one = board.cells[head], lattice.nodes[node]
    grid = board.grids[best["grid"]]
    one["score"], one["option"] = best["score"], best["column"]
    one["gap"], one["mask"] = grid["gap"], grid["mask"]
    one["start"], one["end"] = grid["start"], grid["end"]
    copy(board.states[head], lattice.states[node])
    at = one["first"] = lattice.nodes[node - 1]["last"]
    while head >= 0:
        arc, cell = lattice.arcs[at], board.cells[head]
        arc["node"], arc["option"], arc["score"], arc["model"] = (
            cell["row"],
            cell["column"],
            cell["score"],
            cell["model"],
        )
        at, head = at + 1, cell["next"]
    one["last"] = at


@within
def _ended(first: int, node: int, lattice: Lattice, task: Task) -> Lattice:
    """The lattice with the end; an arc leads to it from each node of the last stack, those from `first` on."""
    spare = np.empty_like(lattice.states[0])
    end, at = lattice.nodes[node], lattice.nodes[node - 1]["last"]
    end["first"], end["score"] = at, -np.inf
    for last in range(first, node):
        model = ending(task.grams, lattice.states[last], spare)
        arc, score = lattice.arcs[at], lattice.nodes[last]["score"] + task.weights[MODEL] * model
        arc["node"], arc["option"], arc["score"], arc["model"] = last, -1, score, model
        end["score"] = max(end["score"], score)
        at += 1
    end["last"] = at
    return Lattice(lattice.nodes[: node + 1], lattice.arcs[:at], lattice.states[: node + 1])
