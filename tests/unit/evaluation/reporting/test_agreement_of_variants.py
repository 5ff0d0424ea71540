"""Agreement is over the raters whom the means count, and the table says whose it is."""

from dataclasses import replace

import numpy as np
import pytest
from support import snapshots

from evaluation.reporting.build import rater_agreement
from evaluation.reporting.kept_parts import KeptParts
from evaluation.statistics import STATISTICS
from evaluation.tables.agreement import FILTERED, UNFILTERED, make

UNITS, RATERS = 12, 4


def built(variant):
    """Three raters agree on three systems; the fourth gives every text the first place, and rules leave them out."""
    places = np.random.default_rng(4)
    texts = [f"text {unit}" for unit in range(UNITS)]
    systems = [snapshots.system(name, texts) for name in ("A", "B", "C")]
    rows = []
    for unit in range(UNITS):
        order = 1 + places.permutation(3)
        for rater in range(RATERS):
            rows += [(unit, place, rater, 1.0 if rater == 3 else float(order[place])) for place in range(3)]
    ranks = snapshots.judged("rank", rows, level="ordinal", ends=(1.0, 3.0))
    raters = snapshots.workers_of(RATERS, left_out=["", "", "", "One value for all."])
    made = snapshots.snapshot_of(snapshots.units_of(texts), systems, [ranks], raters=raters)
    return replace(snapshots.built_of(made), snapshot=replace(made, variant=variant)), ranks


@pytest.mark.parametrize(("variant", "raters", "said"), [("filtered", 3, FILTERED), ("raw", 4, UNFILTERED)])
def test_alpha_is_of_the_raters_whom_the_means_count(variant, raters, said):
    of, ranks = built(variant)
    row = next(one for one in rater_agreement(of, KeptParts()) if one["coefficient"] == "krippendorff_alpha")
    chosen = ranks.rater < raters
    alpha = STATISTICS["krippendorff_alpha"].agree(
        ranks.rater[chosen], ranks.text[chosen], ranks.value[chosen], "ordinal"
    )
    assert (row["value"], row["raters"]) == (pytest.approx(alpha.value), raters)
    assert (row["value"] == pytest.approx(1)) == (variant == "filtered")
    table = make(replace(of.snapshot, report={"agreement": rater_agreement(of, KeptParts())}))
    assert table.notes[-1] == said


def test_a_criterion_that_only_excluded_raters_judged_says_so():
    of, _ = built("filtered")
    left_out = ["Too quick."] * RATERS
    alone = replace(of, snapshot=replace(of.snapshot, raters=replace(of.snapshot.raters, left_out=left_out)))
    row = rater_agreement(alone, KeptParts())[0]
    assert row["value"] is None
    assert row["undefined"]
