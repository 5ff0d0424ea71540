"""The fields of a human study's plan, each declared once: form, API, study file and actions are made from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation import annotator_pool as eligibility
from annotation.campaigns.fields import Pay
from annotation.models.campaign import LARGEST_INTEGER
from corpora.models import Sentence, Study
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.human_studies.plan_validation import checked_criteria
from evaluation.models import HumanStudy
from evaluation.statistics import Correction, PairedTest, of_kind
from foundation.errors import UserError
from foundation.options import check_given, complete, each_once, option
from foundation.translation import translatable

ALWAYS, OF_DRAFTS = "always", "while empty"
ONCE, ANY = "once", "any"
EVEN, OPEN = "even", "open"
BETTING, SIGN_FLIPS = "betting", "sign_flips"
NO_CORRECTION = "none"


def _given(costs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in costs.items() if value}


@dataclass(frozen=True)
class Costs:
    """The time that a judgement takes, and the pay."""

    seconds: float = option(
        0.0, "Left out, the seconds are measured in the study's answers, or assumed.", label="Seconds per judgement",
        low=0.1, high=3600,
    )  # fmt: skip
    pay: object = option(None, "The pay for a page or an hour.", table=Pay)


@dataclass(frozen=True)
class Controls:
    """Attention checks: in one of how many pages they stand, and of which kinds."""

    every: int = option(10, "", label="One attention check in this many pages", low=1, high=1000)
    kinds: tuple[str, ...] = option(
        (), "The checks are hidden among the outputs. Careful raters rate them lower.",
        label="Attention checks", choices=lambda: [(name, check.label) for name, check in ATTENTION_CHECKS.items()],
        clean=each_once,
    )  # fmt: skip


def _if_any(controls: Mapping[str, Any]) -> dict[str, Any]:
    return complete(Controls, controls) if controls.get("kinds") else {}


def _rule(label: str, help: str, low: float, high: float) -> Any:
    return option(0.0, help, label=label, low=low, high=high, none="usual")


@dataclass(frozen=True)
class Exclusions:
    """The rules by which people are left out, each with its bound; a bound of None drops the rule."""

    least_seconds: float | None = _rule(
        translatable("Fewest seconds an answer"),
        translatable("The lowest median of a person's seconds per answer."),
        0.1,
        3600,
    )
    straight_lining: float | None = _rule(
        translatable("Most ratings that are one value"),
        translatable(
            "From 0.3 to 1: the largest share of a person's ratings on a criterion that may be the same value."
        ),
        0.3, 1,
    )  # fmt: skip
    least_agreement: float | None = _rule(
        translatable("Least agreement with the others"),
        translatable("From −1 to 1: Spearman's ρ of a person's ratings with the mean of the other people's ratings."),
        -1, 1,
    )  # fmt: skip
    control_p: float | None = _rule(
        translatable("Largest p of the attention test"),
        translatable("People who do not rate attention checks significantly lower, at this level, are excluded."),
        0.0001, 0.5,
    )  # fmt: skip
    most_missed: float | None = _rule(
        translatable("Most attention checks missed"),
        translatable(
            "From 0 to 1: the share of attention checks that a person did not rate lower than the original outputs."
        ),
        0, 1,
    )  # fmt: skip


def _bounds(rules: Mapping[str, Any]) -> dict[str, float]:
    return {name: bound for name, bound in rules.items() if bound is not None}


@dataclass(frozen=True)
class MainComparison:
    """The baseline, and how the other systems are compared with it; there is none without a baseline."""

    baseline: str = option("", "", label="Baseline", characters=100)
    systems: tuple[str, ...] = option((), "Tick none for all other systems.", label="Compared with it", characters=100)
    criterion: str = option(
        "", "The criterion's name from above, or rank or best_worst if the study has them.", label="Criterion",
        characters=60, clean=str.strip,
    )  # fmt: skip
    test: str = option(
        "wilcoxon",
        "",
        label="Significance test",
        choices=lambda: [(name, one.label) for name, one in of_kind(PairedTest).items()],
    )
    correction: str = option(
        "holm", "", label="Correction",
        choices=lambda: [
            *((name, one.label) for name, one in of_kind(Correction).items()),
            (NO_CORRECTION, translatable("no correction")),
        ],
    )  # fmt: skip
    alpha: float = option(0.05, "", label="Level", low=0.0001, high=0.4999)
    looks: str = option(
        ONCE, "At any moment: e-values replace the test, and e-BH the correction.", label="When it is decided",
        choices=[(ONCE, translatable("once, when the study is closed")), (ANY, translatable("at any moment"))],
    )  # fmt: skip
    evidence: str = option(
        BETTING, "Sign flips ask whether two systems could change places on each source. On wide scales, as MQM's, "
        "they decide far sooner. Betting asks about the mean.", label="Evidence at any moment",
        choices=[(BETTING, translatable("the mean difference, by betting")),
                 (SIGN_FLIPS, translatable("whether systems could change places, by sign flips"))],
    )  # fmt: skip
    queue: str = option(
        EVEN, "Where the comparison is open: texts of systems that are told from the baseline wait behind the others.",
        label="Judgements go", choices=[(EVEN, translatable("to all systems evenly")),
                                        (OPEN, translatable("where the comparison is open"))],
    )  # fmt: skip
    proxy: str = option(
        "", "Its scores of sources that nobody judges make the intervals narrower.", label="Metric beside people",
        characters=100,
    )  # fmt: skip


def _complete(comparison: Mapping[str, Any]) -> dict[str, Any]:
    return complete(MainComparison, comparison) if comparison.get("baseline") else {}


@dataclass(frozen=True)
class HumanStudyFields:
    """The fields that `plan_human_study` takes; those that change "always" may be amended once it is open."""

    name: str = option("", "", label="Name", characters=200, required=True, clean=str.strip, changes=OF_DRAFTS)
    direction: object = option(None, "Left out, all directions.", label="Direction", row="direction", changes=OF_DRAFTS)
    systems: object = option(
        None, "If you choose none, the study judges its texts unchanged: tick the source.", label="Systems to judge",
        row="system", changes=OF_DRAFTS,
    )  # fmt: skip
    rate_source: bool = option(False, "", label="Also judge the source", changes=OF_DRAFTS)
    rate_reference: bool = option(
        False, "If a source has several references, one is sampled.", label="Also judge a human reference",
        changes=OF_DRAFTS,
    )  # fmt: skip
    splits: tuple[str, ...] = option(
        (), "None ticked means all.", label="Splits", choices=Sentence.Split.choices, changes=OF_DRAFTS
    )
    sampling: str = option(
        HumanStudy.Sampling.ALL.value, "", label="Sentences", choices=HumanStudy.Sampling.choices, changes=OF_DRAFTS
    )
    size: int = option(0, "", label="Sample size", low=0, high=1_000_000, changes=OF_DRAFTS)
    seed: int = option(1, "", label="Seed", low=-LARGEST_INTEGER - 1, high=LARGEST_INTEGER, changes=OF_DRAFTS)
    criteria: object = option((), "The criteria of a rating campaign.", rows=checked_criteria, changes=OF_DRAFTS)
    ranks: bool = option(False, "", label="Also rank all outputs of a source", changes=OF_DRAFTS)
    best_worst: bool = option(
        False, "", label="Also choose the best and the worst of a few", changes=OF_DRAFTS
    )  # fmt: skip
    judgements: int = option(3, "", label="People per output", low=1, high=100, changes=OF_DRAFTS)
    outputs_per_item: int = option(
        0, "0 shows all outputs of a source together.", label="Outputs on a page", low=0, high=100, changes=OF_DRAFTS
    )
    eligibility: object = option(
        None, "The eligibility rules by name.", table=eligibility.check, changes=OF_DRAFTS, old="crew"
    )
    costs: object = option(
        None, "The seconds that a judgement takes, and its pay.", table=Costs, clean=_given, changes=OF_DRAFTS
    )
    controls: object = option(
        None, "The share of pages with attention checks, and their kinds.", table=Controls,
        clean=_if_any, changes=OF_DRAFTS,
    )  # fmt: skip
    use_controls: bool = option(
        False, "If not ticked, the report shows the test and excludes nobody.",
        label="Exclude people who fail the attention checks",
    )  # fmt: skip
    exclusions: object = option(None, "The rules by which people are left out.", table=Exclusions, clean=_bounds)
    comparison: object = option(
        None, "The baseline, the systems compared with it, the criterion, the test and the correction.",
        table=MainComparison, clean=_complete,
    )  # fmt: skip
    shows_comparison: bool = option(
        False, "If not ticked, the study shows only progress, agreement and attention checks before it closes.",
        label="Compare the systems while the study is open", changes=OF_DRAFTS,
    )  # fmt: skip
    guideline: str = option(
        "", "", label="Guideline", characters=100_000, lines=True, changes=OF_DRAFTS, clean=str.strip
    )


def validated_plan(study: Study, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given, in their stored form."""
    plan = check_given(HumanStudyFields, given, partial=True)
    if plan.get("direction") is not None and plan["direction"].study_id != study.pk:
        raise UserError("The direction is another study's.", where="direction")
    return plan
