"""The forms of evaluation's pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, form_field, offer
from annotation.campaigns.fields import Pay
from annotation.forms.criteria import CRITERIA, CriteriaForm, scales_for
from annotation.forms.eligibility import EligibilityForm
from corpora.models import Study
from evaluation.actions.make_public_link import PublicLinkFields
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.human_studies.fields import Costs, HumanStudyFields
from evaluation.human_studies.plan_validation import EXCLUSIONS, corrections, tests
from evaluation.models import HumanStudy, PublicLink, ReportChoice
from evaluation.report_fields import ReportFields
from evaluation.snapshot import EXAMPLES
from evaluation.statistics import STATISTICS
from foundation.errors import UserError
from foundation.options import list_options

# The form of how a report compares.


class ReportChoiceForm(DeclaredForm):
    """The settings of a report's comparison: the baseline, the level of tests, and the judgements that lead."""

    declared = ReportFields
    in_form = {"averaging": {"required": False}}

    def __init__(self, data: Any = None, *, study: Study) -> None:
        chosen = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
        self.systems = {system.name: system for system in study.systems.all()}
        names = {system.pk: name for name, system in self.systems.items()}
        stored = {one.name: getattr(chosen, one.name) for one in list_options(ReportFields) if not one.row}
        super().__init__(data, initial={**stored, "baseline": names.get(chosen.baseline_id or 0, "")})
        self.fields["joint"].help_text += f" {EXAMPLES}"
        offer(
            self,
            "baseline",
            [("", _("the first system that is not a person")), *[(name, name) for name in self.systems]],
        )

    def choice(self) -> dict[str, Any]:
        """As `choose_report` takes it."""
        given = dict(self.cleaned_data)
        if not given["averaging"]:
            del given["averaging"]
        return {**given, "baseline": self.systems.get(given["baseline"])}


# The form of a public link.


class PublicLinkForm(DeclaredForm):
    """Which page, for how long, and whether a release's datasheet and guidelines are shown, too."""

    declared = PublicLinkFields

    def __init__(self, data: Any = None, *, study: Study, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.releases = {f"release-{one.number}": one for one in study.releases.only("number", "study_id")}
        pages = [(page.value, page.label) for page in (PublicLink.Page.LEADERBOARD, PublicLink.Page.TRUST)]
        pages += [(name, _("Release %(number)d") % {"number": one.number}) for name, one in self.releases.items()]
        offer(self, "page", pages)

    def link(self) -> dict[str, Any]:
        """As `make_public_link` takes it."""
        release = self.releases.get(self.cleaned_data["page"])
        page = PublicLink.Page.RELEASE.value if release else self.cleaned_data["page"]
        return {**self.cleaned_data, "page": page, "release": release}


# The form by which a human study's exclusions and main comparison are amended.

RULES = {
    "least_seconds": (_("Fewest seconds an answer"), _("The lowest median of a person's seconds per answer.")),
    "straight_lining": (
        _("Most ratings that are one value"),
        _("From 0.3 to 1: the largest share of a person's ratings on a criterion that may be the same value."),
    ),
    "least_agreement": (
        _("Least agreement with the others"),
        _("From −1 to 1: Spearman's ρ of a person's ratings with the mean of the other people's ratings."),
    ),
    "control_p": (
        _("Largest p of the attention test"),
        _("People who do not rate attention checks significantly lower, at this level, are excluded."),
    ),
    "most_missed": (
        _("Most attention checks missed"),
        _("From 0 to 1: the share of attention checks that a person did not rate lower than the original outputs."),
    ),
}
IN_FIELD = {
    "costs.seconds": "seconds", "costs.pay": "per_hour", "pay": "per_hour", "pay.currency": "currency",
    "pay.hour": "per_hour", "pay.item": "per_item", "controls": "kinds", "controls.kinds": "kinds",
    "controls.every": "every",
}  # fmt: skip


class AmendForm(forms.Form):
    """The rules of exclusion and the main comparison, which may still be changed after a study opened."""

    use_controls = forms.BooleanField(
        label=_("Exclude people who fail the attention checks"), required=False,
        help_text=_("If not ticked, the report shows the test and excludes nobody."),
    )  # fmt: skip
    baseline = forms.ChoiceField(label=_("Baseline"), required=False)
    compared = forms.MultipleChoiceField(
        label=_("Compared with it"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("Tick none for all other systems."),
    )  # fmt: skip
    criterion = forms.CharField(
        label=_("Criterion"),
        required=False,
        max_length=60,
        help_text=_("The criterion's name from above, or rank or best_worst if the study has them."),
    )
    test = forms.ChoiceField(label=_("Test"), required=False)
    correction = forms.ChoiceField(label=_("Correction"), required=False)
    alpha = forms.FloatField(
        label=_("Level"), required=False, initial=0.05, min_value=0.0001, max_value=0.4999,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, study: Study, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, use_required_attribute=False)
        self.study = study
        for name, (label, about) in RULES.items():
            low, high = EXCLUSIONS[name]
            number = forms.NumberInput(attrs={"step": "any"})
            self.fields[name] = forms.FloatField(
                label=label, help_text=about, required=False, min_value=low, max_value=high, widget=number
            )
        names = [(system.name, system.name) for system in study.systems.all()]
        offer(self, "baseline", [("", _("no main comparison")), *names])
        offer(self, "compared", names)
        offer(self, "test", [(name, _t(STATISTICS[name].label)) for name in tests()])
        self.fields["test"].initial = "wilcoxon"
        named = [(name, _t(STATISTICS[name].label)) for name in corrections() if name in STATISTICS]
        offer(self, "correction", [*named, ("none", _("none"))])
        self.fields["correction"].initial = "holm"

    @property
    def rules(self) -> list[Any]:
        return [self[name] for name in RULES]

    @property
    def comparing(self) -> list[Any]:
        return [self[name] for name in ("baseline", "compared", "criterion", "test", "correction", "alpha")]

    def amendments(self) -> dict[str, Any]:
        """The arguments of `amend_human_study`. Only after is_valid()."""
        given = self.cleaned_data
        comparison = {
            "baseline": given["baseline"], "systems": given["compared"], "criterion": given["criterion"].strip(),
            "test": given["test"] or "wilcoxon", "correction": given["correction"] or "holm",
            "alpha": given["alpha"] or 0.05,
        }  # fmt: skip
        return {
            "exclusions": {name: given[name] for name in RULES if given[name] is not None},
            "comparison": comparison if given["baseline"] else {},
            "use_controls": given["use_controls"],
        }

    def tell(self, error: UserError, field: str | None = None) -> None:
        """Put an action's message beside the field that it names, else above the form."""
        last = error.where.rpartition(".")[2]
        names = (IN_FIELD.get(error.where, error.where), {"systems": "compared"}.get(last, last))
        chosen = names[1] if error.where.startswith(("exclusions.", "comparison.")) else names[0]
        if chosen in self.fields:
            self.add_error(chosen, error.sentence)
        else:
            self.add_error(None, str(error))


def amended(plan: HumanStudy) -> dict[str, Any]:
    """The fields of the rules as they stand now."""
    asked = dict(plan.comparison)
    compared = {"compared": asked.pop("systems")} if asked else {}
    return {**plan.exclusions, "use_controls": plan.use_controls, **asked, **compared}


# The form of a human study.

# Parts with forms of their own, and the fields of the tables of a plan.
APART = frozenset({"criteria", "crew", "costs", "controls", "exclusions", "comparison", "use_controls"})
PLAIN = tuple(one.name for one in list_options(HumanStudyFields) if one.name not in APART and not one.row)
IN_FORM: dict[str, dict[str, Any]] = {
    "name": {"required": True, "widget": forms.TextInput(attrs={"dir": "auto"})},
    "direction": {"help_text": ""},
    "sampling": {"widget": forms.RadioSelect},
    "guideline": {"widget": forms.Textarea(attrs={"dir": "auto"})},
    **{name: {"required": False} for name in ("size", "outputs_per_item")},
    "size": {"required": False, "initial": None},
}
MONEY = {"currency": "currency", "hour": "per_hour", "item": "per_item"}


class HumanStudyForm(AmendForm):
    """The arguments of plan_human_study; criteria and eligibility rules stand in rows of their own."""

    kinds = forms.MultipleChoiceField(
        label=_("Attention checks"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("The checks are hidden among the outputs. Careful raters rate them lower."),
    )  # fmt: skip
    every = forms.IntegerField(
        label=_("One attention check in this many pages"), initial=10, min_value=1, max_value=1000
    )

    def __init__(self, data: Any = None, *, study: Study, plan: HumanStudy | None = None, preset: Any = None) -> None:
        fields = _initial(plan) if plan else {"systems": [system.pk for system in study.systems.all()]}
        fields |= _from_preset(preset) if preset else {}
        super().__init__(data, study=study, initial=fields)
        self.plan = plan
        for one in list_options(HumanStudyFields):
            if one.name not in APART:
                self.fields[one.name] = form_field(one, **IN_FORM.get(one.name, {}))
        costs = {one.name: one for kind in (Costs, Pay) for one in list_options(kind)}
        self.fields["seconds"] = form_field(costs["seconds"], required=False, initial=None)
        for key, name in MONEY.items():
            self.fields[name] = form_field(costs[key], required=False, initial=None)
        self.fields["per_item"].label = _("For a page")
        offer(
            self,
            "direction",
            [
                ("", _("All directions")),
                *((d.pk, d.name) for d in study.directions.all()),
            ],
        )
        offer(self, "systems", [(system.pk, system.name) for system in study.systems.all()])
        offer(self, "kinds", [(name, _t(attention_check.label)) for name, attention_check in ATTENTION_CHECKS.items()])
        self.criteria: Any = CriteriaForm(
            data, prefix="criteria", initial=_criteria(study, plan, preset), form_kwargs=scales_for(study)
        )
        self.criteria.extra = max(1, CRITERIA - len(self.criteria.initial or ()))
        self.eligibility = EligibilityForm(data, campaigns=study.campaigns.all(), stored=plan.crew if plan else None)

    def is_valid(self) -> bool:
        parts = [super().is_valid(), self.criteria.is_valid(), self.eligibility.is_valid()]
        return all(parts)

    def fields_given(self) -> dict[str, Any]:
        """The arguments of `plan_human_study`. Only after is_valid()."""
        given = self.cleaned_data
        pay = {key: given[name] for key, name in MONEY.items() if given[name]}
        if "currency" in pay:
            pay["currency"] = pay["currency"].strip().upper()
        if not {"hour", "item"} & pay.keys():
            pay = {}
        return {
            **{key: given[key] if given[key] is not None else 0 for key in PLAIN},
            "systems": list(self.study.systems.filter(pk__in=given["systems"])),
            "direction": self.study.directions.get(pk=given["direction"]) if given["direction"] else None,
            "criteria": self._criteria_given(),
            "crew": self.eligibility.values(),
            "controls": {"every": given["every"], "kinds": given["kinds"]} if given["kinds"] else {},
            "costs": {**({"seconds": given["seconds"]} if given["seconds"] else {}), **({"pay": pay} if pay else {})},
            **self.amendments(),
        }

    def tell(self, error: UserError, field: str | None = None) -> None:
        rule = error.where.removeprefix("crew.").replace(".", "-")
        if error.where.startswith("crew.") and rule in self.eligibility.fields:
            self.eligibility.add_error(rule, error.sentence)
        else:
            super().tell(error)

    def _criteria_given(self) -> list[dict[str, Any]]:
        """The criteria of the rows; fields of a criterion that the rows do not show stay."""
        stored = {criterion["name"]: criterion for criterion in self.plan.criteria} if self.plan else {}
        rows = self.criteria.given()
        return [{**stored.get(row["name"], {}), **{key: row[key] for key in row if row[key]}} for row in rows]


def _initial(plan: HumanStudy) -> dict[str, Any]:
    """The fields of a plan that is stored."""
    pay = plan.costs.get("pay", {})
    return {
        **{key: getattr(plan, key) for key in PLAIN},
        **amended(plan),
        "direction": plan.direction_id,
        "systems": [system.pk for system in plan.systems.all()],
        "kinds": plan.controls.get("kinds", []),
        "every": plan.controls.get("every", 10),
        "seconds": plan.costs.get("seconds"),
        **{name: pay.get(key) for key, name in MONEY.items()},
    }


def _from_preset(preset: Any) -> dict[str, Any]:
    fields = {key: value for key, value in preset.fields.items() if key not in ("criteria", "controls")}
    return {**fields, **preset.fields.get("controls", {})}


def _criteria(study: Study, plan: HumanStudy | None, preset: Any) -> list[dict[str, Any]]:
    """Those of the plan or the preset; else of the study."""
    if plan is not None:
        return list(plan.criteria)
    if preset is not None:
        return list(preset.fields["criteria"])
    return [dict(row) for row in study.criteria.values("name", "scale", "aspect", "beside")]
