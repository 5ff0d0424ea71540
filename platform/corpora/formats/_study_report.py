"""The table that says how the report compares."""

from collections.abc import Sequence

from corpora.formats._keys import Table
from corpora.formats._study import REPORT_SPLITS, Allowed, ReportSpec


def report(block: Table, systems: Sequence[str], allowed: Allowed) -> ReportSpec:
    block.known(("baseline", "alpha", "correction", "variant", "split", "human_systems"))
    if "baseline" in block.values:
        block.among(block.text("baseline"), systems, "system", "baseline")
    return ReportSpec(
        baseline=block.optional_text("baseline"),
        alpha=block.number("alpha", 0.05, *allowed.levels),
        correction=block.choice("correction", allowed.corrections, "correction", "holm"),
        variant=block.choice("variant", allowed.variants, "variant of judgements", "raw"),
        split=block.choice("split", REPORT_SPLITS, "split", ""),
        human_systems=block.flag("human_systems", False),
    )
