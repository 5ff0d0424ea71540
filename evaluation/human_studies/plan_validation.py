"""Validation of the tables of a plan, and of conditions between its fields; a UserError names the misfit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from annotation.task_types.rank import CRITERION as RANK
from corpora.models import Study
from evaluation.metrics import METRICS
from evaluation.models import HumanStudy
from foundation.errors import UserError

EXCLUSION_WORDS = {  # beside `least_seconds`
    "most_missed": gettext_noop("at most %s of the attention checks missed"),
    "control_p": gettext_noop("p of the attention test at most %s"),
    "least_agreement": gettext_noop("agreement of at least %s"),
    "straight_lining": gettext_noop("at most %s of the ratings one value"),
}
ATTENTION_CHECK_RULES = frozenset({"most_missed", "control_p"})  # applied only where attention checks are to be used
CONTROL_P = 0.05  # where attention checks are used and no rule says how


FRACTION = 11  # stands for 1.5 and the like: of such a number the languages have their plural form


def exclusion_in_words(name: str, bound: float) -> str:
    """`at least 2 seconds an answer`."""
    if name != "least_seconds":
        return _(EXCLUSION_WORDS[name]) % f"{bound:g}"
    said = ngettext("at least %(n)s second an answer", "at least %(n)s seconds an answer", plural_kind(bound))
    return said % {"n": f"{bound:g}"}


def seconds_per_judgement(seconds: float) -> str:
    said = ngettext("%(n)s second per judgement", "%(n)s seconds per judgement", plural_kind(seconds))
    return said % {"n": f"{seconds:g}"}


def plural_kind(number: float) -> int:
    """The whole number whose plural form a number takes."""
    return int(number) if float(number).is_integer() else FRACTION


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
    check_looks(given, human_study)
    check_proxy(given, human_study)
    unordered = [entry["name"] for entry in human_study.criteria if not SCALES[entry["scale"]].is_ordered]
    if given["criterion"] in unordered:
        raise UserError(
            "The levels of {name} have no order, so systems have no means to compare.", name=given["criterion"],
            where="comparison.criterion",
        )  # fmt: skip


def check_looks(given: Mapping[str, Any], human_study: HumanStudy) -> None:
    """A decision at any moment is of values that have ends, and pages can wait only where they hold few systems."""
    if given.get("looks") == "any" and given["criterion"] == RANK:
        raise UserError("Ranks are compared once, when the study is closed.", where="comparison.looks")
    if given.get("queue") != "open":
        return
    if given.get("looks") != "any":
        raise UserError("Judgements go where it is open only if it is decided at any moment.", where="comparison.queue")
    if given.get("proxy"):
        raise UserError(
            "A metric stands beside people only if judgements go to all systems evenly.", where="comparison.proxy"
        )
    if not human_study.outputs_per_item or human_study.ranks or human_study.best_worst:
        raise UserError(
            "Judgements go where the comparison is open only if outputs are rated, one or a few on a page.",
            where="comparison.queue",
        )


def check_proxy(given: Mapping[str, Any], human_study: HumanStudy) -> None:
    """The metric is one of the study's, and the judged sources stand for those that it alone scores."""
    proxy = given.get("proxy", "")
    if proxy and human_study.is_chosen:
        raise UserError(
            "A metric stands beside people only if sources are sampled at random.", where="comparison.proxy"
        )
    if proxy and proxy not in proxies_of(human_study.study):
        raise UserError("The study has no metric '{name}': choose it first.", name=proxy, where="comparison.proxy")


def proxies_of(study: Study) -> dict[str, str]:
    """The names of the metrics that the study has, chosen or imported, with those for people."""
    chosen = {name: METRICS[name].label for name in study.metric_choices.values_list("metric", flat=True)}
    return chosen | {imported.key: imported.name for imported in study.imported_metrics.all()}


def checked_criteria(given: Any) -> list[dict[str, Any]]:
    "The criteria of a rating campaign."
    return TASK_TYPES["rate"].check_settings({"criteria": given})["criteria"] if given else []
