"""The form of a human study."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import form_field, offer
from annotation.campaigns.fields import Pay
from annotation.forms.criteria import CRITERIA, CriteriaForm, scales_for
from annotation.forms.eligibility import EligibilityForm
from corpora.models import Study
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.forms.amend import AmendForm, amended
from evaluation.human_studies.fields import Costs, HumanStudyFields
from evaluation.models import HumanStudy
from foundation.errors import UserError
from foundation.options import list_options

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
    """What plan_human_study takes; the criteria stand in rows of their own, the eligibility rules in theirs."""

    kinds = forms.MultipleChoiceField(
        label=_("Attention checks"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("They stand among the outputs, and nobody is told. Whoever rates with care rates them lower."),
    )  # fmt: skip
    every = forms.IntegerField(label=_("In one of so many pages"), initial=10, min_value=1, max_value=1000)

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
        self.criteria = CriteriaForm(
            data, prefix="criteria", initial=_criteria(study, plan, preset), form_kwargs=scales_for(study)
        )
        self.criteria.extra = max(1, CRITERIA - len(self.criteria.initial))
        self.eligibility = EligibilityForm(data, campaigns=study.campaigns.all(), stored=plan.crew if plan else None)

    def is_valid(self) -> bool:
        parts = [super().is_valid(), self.criteria.is_valid(), self.eligibility.is_valid()]
        return all(parts)

    def fields_given(self) -> dict[str, Any]:
        """What `plan_human_study` takes. Only after is_valid()."""
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

    def refuse(self, error: UserError) -> None:
        rule = error.where.removeprefix("crew.").replace(".", "-")
        if error.where.startswith("crew.") and rule in self.eligibility.fields:
            self.eligibility.add_error(rule, error.sentence)
        else:
            super().refuse(error)

    def _criteria_given(self) -> list[dict[str, Any]]:
        """The rows; what they do not show of a criterion stays as it was."""
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
    return fields | preset.fields.get("controls", {})


def _criteria(study: Study, plan: HumanStudy | None, preset: Any) -> list[dict[str, Any]]:
    """Those of the plan or the preset; else of the study."""
    if plan is not None:
        return plan.criteria
    if preset is not None:
        return preset.fields["criteria"]
    return list(study.criteria.values("name", "scale", "aspect", "beside"))
