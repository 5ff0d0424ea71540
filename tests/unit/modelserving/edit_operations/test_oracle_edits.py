"""The edits between two texts: against the authors' program on ASSET, and against all edits that there are."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from foundation.seeds import generator
from modelserving.edit_operations import (
    DELETE,
    KEEP,
    STOP,
    Edit,
    Operation,
    edit_distances,
    execute,
    oracle_edits,
)

ROOT = Path(__file__).parents[4]
GOLDEN = json.loads((ROOT / "tests/golden/modelserving/edit_nts.json").read_text(encoding="utf-8"))["oracle_edits"]
ASSET = next((one / "shared/data/asset" for one in ROOT.parents if (one / "shared/data/asset").is_dir()), None)
SPELT = {Operation.KEEP: "KEEP", Operation.DELETE: "DEL", Operation.STOP: "STOP"}
ORDER = [Operation.KEEP, Operation.DELETE, Operation.ADD]


def add(word: str) -> Edit:
    return Edit(Operation.ADD, word)


def all_edits(source: str, target: str) -> Iterator[list[Edit]]:
    """Every row of KEEPs, DELETEs and ADDs that makes the target of the source."""
    if not source and not target:
        yield []
    if source and target and source[0] == target[0]:
        yield from ([KEEP, *rest] for rest in all_edits(source[1:], target[1:]))
    if source:
        yield from ([DELETE, *rest] for rest in all_edits(source[1:], target))
    if target:
        yield from ([add(target[0]), *rest] for rest in all_edits(source, target[1:]))


def cost(edits: list[Edit]) -> int:
    return sum(edit.operation in (Operation.ADD, Operation.DELETE) for edit in edits)


def without_stop(source: list[str], edits: list[Edit]) -> list[Edit]:
    """With a KEEP for each word that is left to STOP."""
    passed = sum(edit.operation in (Operation.KEEP, Operation.DELETE) for edit in edits)
    return [*edits[:-1], *[KEEP] * (len(source) - passed)]


def test_a_pair_worked_by_hand() -> None:
    source, target = ["the", "very", "big", "cat", "sat", "down", "."], ["the", "cat", "sat", "on", "it", "."]
    edits = oracle_edits(source, target)
    assert edits == [KEEP, DELETE, DELETE, KEEP, KEEP, add("on"), add("it"), DELETE, STOP]
    assert execute(source, edits) == target


def test_no_edits_are_fewer_and_of_as_few_the_last_words_are_kept_and_added_before_deleted() -> None:
    texts = ["".join(one) for length in range(5) for one in product("ab", repeat=length)]
    for source, target in product(texts, repeat=2):
        ours = oracle_edits(list(source), list(target))
        whole = without_stop(list(source), ours)
        every = list(all_edits(source, target))
        fewest = min(map(cost, every))
        assert cost(ours) == fewest == edit_distances(source, target)[-1][-1]
        ranked = [[ORDER.index(edit.operation) for edit in reversed(edits)] for edits in every if cost(edits) == fewest]
        assert [ORDER.index(edit.operation) for edit in reversed(whole)] == min(ranked)


def test_edits_make_the_target_and_stop_stands_where_the_rest_is_kept() -> None:
    chance = generator(3, "oracle edits")
    for _ in range(300):
        source, target = (list(map(str, chance.integers(4, size=chance.integers(12)))) for _ in range(2))
        edits = oracle_edits(source, target)
        assert execute(source, edits) == target
        assert edits.count(STOP) == 1
        assert edits[-1] == STOP
        assert edits[-2:-1] != [KEEP]


@pytest.mark.parametrize(("edits", "written"), [
    ([], "a b"),
    ([STOP], "a b"),
    ([DELETE], "b"),
    ([KEEP, add("x"), STOP], "a x b"),
    ([STOP, DELETE, add("x")], "a b"),
    ([KEEP, KEEP, add("x")], "a b x"),
    ([KEEP, KEEP, KEEP, DELETE, add("x")], "a b x"),  # nothing is left to keep or delete
])  # fmt: skip
def test_what_edits_make_of_two_words(edits: list[Edit], written: str) -> None:
    assert execute(["a", "b"], edits) == written.split()


@pytest.mark.skipif(ASSET is None, reason="the real data are not here: no ../shared/data/asset")
@pytest.mark.parametrize("reference", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 10))])
def test_they_are_the_authors_on_asset(reference: int) -> None:
    assert ASSET is not None
    sources, targets = (
        [
            line.lower().split()
            for line in (ASSET / f"asset.valid.{name}").read_text(encoding="utf-8").split("\n")[:1600]
        ]
        for name in ("orig", f"simp.{reference}")
    )
    plain, published = hashlib.sha256(), hashlib.sha256()
    labels, distance, kept = Counter[str](), 0, 0
    for source, target in zip(sources, targets, strict=True):
        edits = oracle_edits(source, target)
        whole = without_stop(source, edits)
        labels.update(SPELT.get(edit.operation, "ADD") for edit in whole)
        distance += cost(edits)
        plain.update(line_of(whole))
        if whole[-1] == KEEP:
            kept += 1
            published.update(line_of(edits if source != target else []))  # the program has no edit, and STOP behind it
    assert {
        "pairs": len(sources), "kept_at_end": kept, "published": published.hexdigest(),
        "before_stop": plain.hexdigest(), "distance": distance, "labels": dict(labels),
    } == GOLDEN[reference]  # fmt: skip


def line_of(edits: list[Edit]) -> bytes:
    return (" ".join(SPELT.get(edit.operation, edit.word) for edit in edits) + "\n").encode()
