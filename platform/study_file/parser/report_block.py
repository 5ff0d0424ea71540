"""The table that says how the report compares."""

from collections.abc import Sequence

from evaluation.actions.choose_report import AVERAGINGS, CORRECTIONS, HIGHEST, LOWEST
from evaluation.snapshot.joint_score import joint_scores
from evaluation.snapshot_builder.variants import VARIANTS
from study_file.parser.spec import REPORT_SPLITS, ReportSpec
from study_file.parser.toml_table import TomlTable


def report(block: TomlTable, systems: Sequence[str]) -> ReportSpec:
    block.known(("baseline", "alpha", "correction", "variant", "split", "human_systems", "averaging", "joint"))
    if "baseline" in block.values:
        block.among(block.text("baseline"), systems, "system", "baseline")
    return ReportSpec(
        baseline=block.optional_text("baseline"),
        alpha=block.number("alpha", 0.05, LOWEST, HIGHEST),
        correction=block.choice("correction", CORRECTIONS, "correction", "holm"),
        variant=block.choice("variant", VARIANTS, "variant of judgements", "raw"),
        split=block.choice("split", REPORT_SPLITS, "split", ""),
        human_systems=block.flag("human_systems", False),
        averaging=block.choice("averaging", AVERAGINGS, "averaging", ""),
        joint=_joint(block),
    )


def _joint(block: TomlTable) -> tuple[str, ...]:
    lines = block.texts("joint", [])
    block.checked(lambda: joint_scores(lines))
    return tuple(lines)
