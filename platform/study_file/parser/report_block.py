"""The table that says how the report compares."""

from collections.abc import Sequence

from study_file.parser.allowed_names import Allowed
from study_file.parser.spec import REPORT_SPLITS, ReportSpec
from study_file.parser.toml_table import TomlTable


def report(block: TomlTable, systems: Sequence[str], allowed: Allowed) -> ReportSpec:
    block.known(("baseline", "alpha", "correction", "variant", "split", "human_systems", "averaging", "joint"))
    if "baseline" in block.values:
        block.among(block.text("baseline"), systems, "system", "baseline")
    return ReportSpec(
        baseline=block.optional_text("baseline"),
        alpha=block.number("alpha", 0.05, *allowed.levels),
        correction=block.choice("correction", allowed.corrections, "correction", "holm"),
        variant=block.choice("variant", allowed.variants, "variant of judgements", "raw"),
        split=block.choice("split", REPORT_SPLITS, "split", ""),
        human_systems=block.flag("human_systems", False),
        averaging=block.choice("averaging", allowed.averagings, "averaging", ""),
        joint=_joint(block, allowed),
    )


def _joint(block: TomlTable, allowed: Allowed) -> tuple[str, ...]:
    lines = block.texts("joint", [])
    block.checked(lambda: allowed.check_joint(lines))
    return tuple(lines)
