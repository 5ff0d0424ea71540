"""Validation of the tables of a plan, and of conditions between its fields; a UserError names the misfit."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.models import Study
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.models import HumanStudy
from evaluation.statistics import Correction, PairedTest, of_kind
from foundation.errors import UserError

# Each rule's lowest and highest bound; `ATTENTION_CHECK_RULES` are applied only where attention checks are to be used.
EXCLUSIONS = {
    "least_seconds": (0.1, 3600.0),
    "most_missed": (0.0, 1.0),
    "control_p": (0.0001, 0.5),
    "least_agreement": (-1.0, 1.0),
    "straight_lining": (0.3, 1.0),
}
EXCLUSION_WORDS = {
    "least_seconds": gettext_noop("at least %s seconds an answer"),
    "most_missed": gettext_noop("at most %s of the attention checks missed"),
    "control_p": gettext_noop("p of the attention test at most %s"),
    "least_agreement": gettext_noop("agreement of at least %s"),
    "straight_lining": gettext_noop("at most %s of the ratings one value"),
}
ATTENTION_CHECK_RULES = frozenset({"most_missed", "control_p"})
CONTROL_P = 0.05  # where attention checks are used and no rule says how
NO_CORRECTION = "none"


def check_plan(human_study: HumanStudy, systems: Iterable[Any]) -> None:
    """Check the conditions between the fields before anything is stored."""
    names = [system.name for system in systems]
    if not names and not human_study.rate_source and not human_study.rate_reference:
        raise UserError("There is nothing to judge: choose a system, the source or the reference.", where="systems")
    if not (human_study.criteria or human_study.ranks or human_study.best_worst):
        raise UserError("Name a criterion, or let people rank or compare the outputs.", where="criteria")
    if human_study.sampling != HumanStudy.Sampling.ALL and not human_study.size:
        raise UserError("Give the number of sentences to sample.", where="size")
    if human_study.controls and not human_study.criteria:
        raise UserError("Attention checks need ratings: name a criterion, or use no checks.", where="controls")
    if human_study.controls.get("kinds") == ["copied"] and human_study.rate_source:
        raise UserError(
            "The study judges the source itself, so a copy of the source cannot be an attention check.",
            where="controls",
        )
    if human_study.use_controls and not human_study.controls:
        raise UserError("The study has no usable attention checks.", where="use_controls")
    check_comparison(human_study.comparison, names, human_study)


def check_scales(study: Study, criteria: Sequence[Mapping[str, Any]]) -> None:
    """One name is one scale in a study."""
    known = dict(study.criteria.values_list("name", "scale"))
    for criterion in criteria:
        if known.get(criterion["name"], criterion["scale"]) != criterion["scale"]:
            scale = known[criterion["name"]]
            sentence = f"The study has this criterion on the scale {scale}; give the other one another name."
            raise UserError(sentence, where=f"criteria.{criterion['name']}")


def tests() -> list[str]:
    """The tests that compare two systems over the same sources."""
    return list(of_kind(PairedTest))


def corrections() -> list[str]:
    """The corrections of several comparisons."""
    return [*of_kind(Correction), NO_CORRECTION]


def checked_exclusions(given: Mapping[str, Any]) -> dict[str, float]:
    """Rules of exclusion, each with its bound; a bound of None drops the rule."""
    _known(given, EXCLUSIONS, "exclusions")
    bounds = {name: value for name, value in given.items() if value is not None}
    for name, value in bounds.items():
        low, high = EXCLUSIONS[name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise UserError(
                "Expected a number from {low:g} to {high:g}, found {value!r}.",
                low=low,
                high=high,
                value=value,
                where=f"exclusions.{name}",
            )
    return {name: float(bounds[name]) for name in EXCLUSIONS if name in bounds}


def with_control_rule(exclusions: Mapping[str, float], use_controls: bool) -> dict[str, float]:
    """The rules; where attention checks are to be used and none says how, the test of them at 0.05."""
    if use_controls and not ATTENTION_CHECK_RULES & set(exclusions):
        return {**exclusions, "control_p": CONTROL_P}
    return dict(exclusions)


def check_comparison(given: Mapping[str, Any], systems: Sequence[str], human_study: HumanStudy) -> None:
    """The main comparison is of systems that are judged, on something that is asked."""
    if not given:
        return
    if given["baseline"] not in systems:
        raise UserError("The baseline is not among the systems that are judged.", where="comparison.baseline")
    for name in given["systems"]:
        if name not in systems or name == given["baseline"]:
            raise UserError("'{name}' is not one of the other judged systems.", name=name, where="comparison.systems")
    asked = [criterion["name"] for criterion in human_study.criteria]
    asked += ["rank"] * human_study.ranks + ["best_worst"] * human_study.best_worst
    if given["criterion"] not in asked:
        raise UserError(
            "Expected one of {asked}.", asked=", ".join(asked) or "the criteria", where="comparison.criterion"
        )
    unordered = [entry["name"] for entry in human_study.criteria if not SCALES[entry["scale"]].is_ordered]
    if given["criterion"] in unordered:
        raise UserError(
            "The levels of {name} have no order, so systems have no means to compare.", name=given["criterion"],
            where="comparison.criterion",
        )  # fmt: skip


def checked_comparison(given: Mapping[str, Any]) -> dict[str, Any]:
    """Complete; {} where no baseline is named. `systems` empty are all the others."""
    _known(given, ("baseline", "systems", "criterion", "test", "correction", "alpha"), "comparison")
    if not given.get("baseline"):
        return {}
    systems = given.get("systems") or []
    if not isinstance(systems, list | tuple) or not all(isinstance(name, str) for name in systems):
        raise UserError("Expected a list of names of systems.", where="comparison.systems")
    alpha = given.get("alpha", 0.05)
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 0.5:
        raise UserError("Expected a level between 0 and 0.5, such as 0.05.", where="comparison.alpha")
    for key in ("baseline", "criterion"):
        if not isinstance(given.get(key), str):
            raise UserError("Expected a name.", where=f"comparison.{key}")
    return {
        "baseline": given["baseline"],
        "systems": list(systems),
        "criterion": given["criterion"],
        "test": _among(given.get("test", "wilcoxon"), tests(), "comparison.test"),
        "correction": _among(given.get("correction", "holm"), corrections(), "comparison.correction"),
        "alpha": float(alpha),
    }


def checked_controls(given: Mapping[str, Any]) -> dict[str, Any]:
    _known(given, ("every", "kinds"), "controls")
    kinds = given.get("kinds") or []
    if not isinstance(kinds, list | tuple):
        raise UserError("Expected a list of kinds of attention checks.", where="controls.kinds")
    for kind in kinds:
        _among(kind, ATTENTION_CHECKS.names(), "controls.kinds")
    every = given.get("every", 10)
    if not _whole(every) or not 1 <= every <= 1000:
        raise UserError("One attention check is for 1 to 1000 items.", where="controls.every")
    return {"every": every, "kinds": list(dict.fromkeys(kinds))} if kinds else {}


def checked_criteria(given: Any) -> list[dict[str, Any]]:
    "The criteria of a rating campaign."
    return TASK_TYPES["rate"].check_settings({"criteria": given})["criteria"] if given else []


def _known(given: Any, names: Iterable[str], where: str) -> None:
    if not isinstance(given, Mapping):
        raise UserError("Expected a table.", where=where)
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(str(name), list(names), n=3) or list(names)
            raise UserError("There is no such key; did you mean {near}?", near=", ".join(near), where=f"{where}.{name}")


def _among(value: Any, names: Sequence[str], where: str) -> str:
    if value not in names:
        raise UserError("Expected one of {names}; found {value!r}.", names=", ".join(names), value=value, where=where)
    return str(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
