"""The form of a human study."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from annotation.forms.criteria import CRITERIA, CriteriaForm, scales_for
from annotation.forms.eligibility import EligibilityForm
from corpora.models import Sentence, Study
from evaluation.attention_checks import ATTENTION_CHECKS
from evaluation.forms.amend import AmendForm, amended
from evaluation.models import HumanStudy
from foundation.errors import UserError

MONEY = {"required": False, "min_value": 0, "max_value": 100_000, "decimal_places": 4}


class HumanStudyForm(AmendForm):
    """What plan_human_study takes; the criteria stand in rows of their own, the eligibility rules in theirs."""

    name = forms.CharField(label=_("Name"), max_length=200, widget=forms.TextInput(attrs={"dir": "auto"}))
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    systems = forms.MultipleChoiceField(
        label=_("Systems to judge"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("With none, the texts of the study are judged as they are: tick the source."),
    )  # fmt: skip
    rate_source = forms.BooleanField(label=_("Judge the source beside them"), required=False)
    rate_reference = forms.BooleanField(
        label=_("Judge a human reference beside them"), required=False,
        help_text=_("Where a source has several, one is sampled."),
    )  # fmt: skip
    splits = forms.MultipleChoiceField(
        label=_("Splits"), choices=Sentence.Split, required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("None ticked means all."),
    )  # fmt: skip
    sampling = forms.ChoiceField(
        label=_("Sentences"), choices=HumanStudy.Sampling, widget=forms.RadioSelect, initial=HumanStudy.Sampling.ALL
    )
    size = forms.IntegerField(label=_("How many are sampled"), required=False, min_value=0, max_value=1_000_000)
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=-(2**31), max_value=2**31 - 1)
    ranks = forms.BooleanField(label=_("Have all outputs of a source ranked, too"), required=False)
    best_worst = forms.BooleanField(label=_("Have the best and the worst of a few chosen, too"), required=False)
    judgements = forms.IntegerField(label=_("People an output"), initial=3, min_value=1, max_value=100)
    outputs_per_item = forms.IntegerField(
        label=_("Outputs on a page"), initial=0, min_value=0, max_value=100, required=False,
        help_text=_("0 shows all outputs of a source together."),
    )  # fmt: skip
    kinds = forms.MultipleChoiceField(
        label=_("Attention checks"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("They stand among the outputs, and nobody is told. Whoever rates with care rates them lower."),
    )  # fmt: skip
    every = forms.IntegerField(label=_("In one of so many pages"), initial=10, min_value=1, max_value=1000)
    seconds = forms.FloatField(
        label=_("Seconds a judgement"), required=False, min_value=0.1, max_value=3600,
        help_text=_("Left out, it is measured in the study's own answers, or assumed."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )  # fmt: skip
    currency = forms.CharField(label=_("Currency"), required=False, max_length=3, help_text=_("Such as EUR."))
    per_hour = forms.DecimalField(label=_("For an hour"), **MONEY)
    per_item = forms.DecimalField(label=_("For a page"), **MONEY)
    shows_comparison = forms.BooleanField(
        label=_("Show how the systems compare while it is open"), required=False,
        help_text=_("Otherwise only progress, agreement and attention checks are shown before it closes."),
    )  # fmt: skip
    guideline = forms.CharField(
        label=_("Guideline"), required=False, max_length=100_000, widget=forms.Textarea(attrs={"dir": "auto"})
    )

    def __init__(self, data: Any = None, *, study: Study, plan: HumanStudy | None = None, preset: Any = None) -> None:
        fields = _initial(plan) if plan else {"systems": [system.pk for system in study.systems.all()]}
        fields |= _from_preset(preset) if preset else {}
        super().__init__(data, study=study, initial=fields)
        self.plan = plan
        self.fields["direction"].choices = [
            ("", _("All directions")),
            *((d.pk, d.name) for d in study.directions.all()),
        ]
        self.fields["systems"].choices = [(system.pk, system.name) for system in study.systems.all()]
        self.fields["kinds"].choices = [
            (name, _t(attention_check.label)) for name, attention_check in ATTENTION_CHECKS.items()
        ]
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
        plain = ("name", "rate_source", "rate_reference", "splits", "sampling", "seed", "ranks", "best_worst")
        pay = {key: float(given[f"per_{key}"]) for key in ("hour", "item") if given[f"per_{key}"]}
        if pay and given["currency"].strip():
            pay["currency"] = given["currency"].strip().upper()
        return {
            **{key: given[key] for key in (*plain, "judgements", "shows_comparison", "guideline")},
            "systems": list(self.study.systems.filter(pk__in=given["systems"])),
            "direction": self.study.directions.get(pk=given["direction"]) if given["direction"] else None,
            "size": given["size"] or 0,
            "outputs_per_item": given["outputs_per_item"] or 0,
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
    plain = (
        *("name", "rate_source", "rate_reference", "splits", "sampling", "size", "seed", "ranks", "best_worst"),
        *("judgements", "outputs_per_item", "shows_comparison", "guideline"),
    )
    pay = plan.costs.get("pay", {})
    return {
        **{key: getattr(plan, key) for key in plain},
        **amended(plan),
        "direction": plan.direction_id,
        "systems": [system.pk for system in plan.systems.all()],
        "kinds": plan.controls.get("kinds", []),
        "every": plan.controls.get("every", 10),
        "seconds": plan.costs.get("seconds"),
        "currency": pay.get("currency", ""),
        "per_hour": pay.get("hour"),
        "per_item": pay.get("item"),
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
