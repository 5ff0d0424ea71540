"""The plan of a human study in words: as it was frozen, or as it stands while it is a draft."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.eligibility_rules import ELIGIBILITY_RULES
from annotation.scales import SCALES
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.human_studies.plan_validation import EXCLUSION_WORDS, NO_CORRECTION
from evaluation.human_studies.preregistration import PLAIN
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS
from foundation.translation import isolated


def rows_of(human_study: HumanStudy) -> list[tuple[str, str]]:
    """(what, how), in the order in which a plan is read; "" where nothing is asked."""
    frozen = human_study.frozen
    plan = frozen["rules"] if frozen else {name: getattr(human_study, name) for name in PLAIN}
    direction = isolated(human_study.direction.name) if human_study.direction else _("all")
    systems = plan["systems"] if frozen else [system.name for system in human_study.systems.all()]
    return [
        (_("Direction"), direction),
        (_("Splits"), _(", ").join(plan["splits"]) or _("all")),
        (_("Judged"), _(", ").join([*map(isolated, systems), *_beside(plan)])),
        (_("Sentences"), _sentences(plan)),
        (_("Criteria"), _(", ").join(_criterion(criterion) for criterion in plan["criteria"])),
        (_("Besides"), _(", ").join(_further(plan))),
        (_("People an output"), str(plan["judgements"])),
        (_("Outputs on a page"), str(plan["outputs_per_item"] or _("all of a source"))),
        (_("Attention checks"), _controls(plan)),
        (_("Who may work"), _crew(plan["crew"])),
        (
            _("Who stays in"),
            _bounds(plan["exclusions"]),
        ),
        (_("Main comparison"), _comparison(plan["comparison"])),
        (_("Shown while it is open"), _shown(plan.get("shows_comparison", False))),
    ]


def _beside(plan: dict[str, Any]) -> list[str]:
    return [_("the source")] * plan["rate_source"] + [_("a human reference")] * plan["rate_reference"]


def _further(plan: dict[str, Any]) -> list[str]:
    return [_("a ranking of all")] * plan["ranks"] + [_("the best and the worst")] * plan["best_worst"]


def _sentences(plan: dict[str, Any]) -> str:
    said = str(HumanStudy.Sampling(plan["sampling"]).label)
    if plan["sampling"] == HumanStudy.Sampling.ALL:
        return said
    return _("%(what)s: %(size)d of them, seed %(seed)d") % {"what": said, "size": plan["size"], "seed": plan["seed"]}


def _criterion(criterion: dict[str, Any]) -> str:
    name, scale = criterion.get("label") or criterion["name"], criterion["scale"]
    return f"{isolated(name)} ({_(SCALES[scale].label)}, {isolated(scale)})"


def _controls(plan: dict[str, Any]) -> str:
    if not plan["controls"]:
        return _("none")
    kinds = _(", ").join(_(ATTENTION_CHECKS[kind].label) for kind in plan["controls"]["kinds"])
    every = plan["controls"]["every"]
    how_many = ngettext("on every page", "on one of %(every)d pages", every) % {"every": every}
    use = _("who fails them is left out") if plan["use_controls"] else _("shown, and nobody is left out for them")
    return _("; ").join((kinds, how_many, use))


def _crew(rules: dict[str, Any]) -> str:
    said = (f"{_(ELIGIBILITY_RULES[name].label)}: {_value(value)}" for name, value in rules.items())
    return _("; ").join(said) or _("everybody in the study")


def _value(value: Any) -> str:
    """A rule's bound, or several: a list, a table."""
    if isinstance(value, dict):
        return _(", ").join(f"{key} {_value(bound)}" for key, bound in value.items())
    return _(", ").join(map(str, value)) if isinstance(value, list) else str(value)


def _shown(comparison: bool) -> str:
    if comparison:
        return _("progress, agreement and attention checks, and how the systems compare")
    return _("progress, agreement and attention checks; how the systems compare once it is closed")


def _bounds(exclusions: dict[str, float]) -> str:
    return _("; ").join(_(EXCLUSION_WORDS[name]) % f"{bound:g}" for name, bound in exclusions.items()) or _("everybody")


def _comparison(asked: dict[str, Any]) -> str:
    if not asked:
        return _("none")
    correction = asked["correction"]
    named = {
        "criterion": isolated(asked["criterion"]),
        "systems": _(", ").join(map(isolated, asked["systems"])) or _("all others"),
        "baseline": isolated(asked["baseline"]),
        "test": _(STATISTICS[asked["test"]].label),
        "correction": _("none") if correction == NO_CORRECTION else _(STATISTICS[correction].label),
        "alpha": f"{asked['alpha']:g}",
    }
    said = _("%(criterion)s: %(systems)s against %(baseline)s; %(test)s, correction: %(correction)s, level %(alpha)s")
    return said % named
