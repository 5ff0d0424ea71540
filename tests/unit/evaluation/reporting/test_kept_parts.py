"""Parts of a report are made once for the same judgements or scores, and anew for others."""

from dataclasses import replace
from functools import cache

import numpy as np
import orjson
from support.snapshots import built_of, gyafc_like

from evaluation.reporting import build_report
from evaluation.reporting.kept_parts import KeptParts, digest
from evaluation.resampling import Bootstrap
from evaluation.snapshot import RANK

OF_METRICS = {"approximate_randomization", "paired_bootstrap"}  # the tests of two systems, and their intervals


class Shelf(dict):
    """A store that remembers what was put there."""

    def put(self, key, made):
        assert key not in self, "what is kept is not made again"
        self[key] = made


def rated():
    """A study with ratings on scales whose steps are an order alone."""
    snapshot = gyafc_like()
    by_name = {
        name: one if name == RANK else replace(one, level="ordinal") for name, one in snapshot.judgements["raw"].items()
    }
    return replace(snapshot, judgements=dict.fromkeys(snapshot.judgements, by_name))


def plain(made):
    return orjson.loads(orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY))


@cache
def first_report():
    """A study, its report with the store, and what is in the store then."""
    shelf, snapshot = Shelf(), rated()
    return snapshot, plain(build_report(built_of(snapshot), store=shelf)), shelf


def test_a_report_with_kept_parts_is_the_one_without():
    snapshot, report, shelf = first_report()
    fresh = plain(build_report(built_of(snapshot)))
    assert report == fresh
    kinds = {key.partition(":")[0] for key in shelf}
    assert kinds == {"agreement", "ordinal_mixed", "leave_one_out", "sentinels", *OF_METRICS}
    kept = len(shelf)
    assert plain(build_report(built_of(snapshot), store=shelf)) == fresh
    assert len(shelf) == kept


def test_other_judgements_make_their_own_parts():
    snapshot, _, before = first_report()
    shelf = Shelf(before)
    name, judged = "formality", snapshot.judgements["raw"]["formality"]
    value = judged.value.copy()
    value[0] = value[value != value[0]][0]
    other = {**snapshot.judgements["raw"], name: replace(judged, value=value)}
    changed = replace(snapshot, judgements=dict.fromkeys(snapshot.judgements, other))
    again = plain(build_report(built_of(changed), store=shelf))
    assert again == plain(build_report(built_of(changed)))
    made = {key.partition(":")[0] for key in shelf.keys() - before.keys()}
    assert made >= {"agreement", "ordinal_mixed", "leave_one_out"}
    assert not made & OF_METRICS


def test_other_scores_are_tested_anew():
    snapshot, _, before = first_report()
    shelf, (name, scored) = Shelf(before), next(iter(snapshot.scores.items()))
    first = replace(scored[0], sufficient_statistics=scored[0].sufficient_statistics * 0.5)
    changed = replace(snapshot, scores={**snapshot.scores, name: [first, *scored[1:]]})
    again = plain(build_report(built_of(changed), store=shelf))
    assert again == plain(build_report(built_of(changed)))
    assert {key.partition(":")[0] for key in shelf.keys() - before.keys()} >= OF_METRICS


def test_a_digest_tells_types_shapes_and_samples_apart():
    one = np.arange(6)
    told = [
        digest(given)
        for given in (
            [one], [one.astype(float)], [one.reshape(2, 3)], [one[::-1]], [one[:3], one[3:]], [one.tolist()],
            [Bootstrap([1, 2], 10, 0)], [Bootstrap([1, 2], 10, 1)], [Bootstrap([1, 2], 11, 0)],
            [Bootstrap([1, 2], 10, 0, [3])],
        )
    ]  # fmt: skip
    assert len(set(told)) == len(told)
    assert digest([one[::-1]]) == digest([one[::-1].copy()])


def test_without_a_store_each_part_is_made():
    made = iter(range(2))
    assert [KeptParts().of("part", [], lambda: next(made)) for _ in range(2)] == [0, 1]
