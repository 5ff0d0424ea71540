"""The forms of evaluation's pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import DeclaredForm, form_field, offer
from annotation.campaigns.fields import Pay
from annotation.forms.criteria import CriteriaForm, scales_for, unsaid_ends
from annotation.forms.eligibility import EligibilityForm
from annotation.scales import SCALES
from annotation.shipped_texts import shown
from corpora.models import Study
from evaluation.actions.make_public_link import PublicLinkFields
from evaluation.human_studies.fields import Controls, Costs, Exclusions, HumanStudyFields, MainComparison
from evaluation.human_studies.plan_validation import proxies_of
from evaluation.llm_judge.fields import JudgeFields, MachineFields
from evaluation.models import HumanStudy, PublicLink, ReportChoice
from evaluation.report_fields import ReportFields
from evaluation.snapshot import EXAMPLES
from foundation.errors import UserError
from foundation.key_labels import label_of_key
from foundation.options import list_options, option_named
from modelserving.forms.options import field_of

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


# The form of a judge.


class AskedModelForm(DeclaredForm):
    """A language model that judges, and how it is asked. All but a few fields are folded away."""

    foremost: tuple[str, ...]

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, use_required_attribute=False)
        for one in list_options(self.declared):
            if one.suggestions:
                self.fields[one.name] = field_of(one, {})
        self.order_fields([*self.foremost, *(name for name in self.fields if name not in self.foremost)])

    @property
    def few(self) -> list[Any]:
        return [self[name] for name in self.foremost]

    @property
    def others(self) -> list[Any]:
        return [self[name] for name in self.fields if name not in self.foremost]

    @property
    def others_wrong(self) -> bool:
        return any(name in self.errors for name in self.fields if name not in self.foremost)


class JudgeForm(AskedModelForm):
    """The question to a language model whose scores become a metric."""

    declared = JudgeFields
    in_form = {"criterion": {"kind": forms.ChoiceField}}
    foremost = ("criterion", "way", "endpoint", "model", "folder", "name")

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data)
        ordered = [row for row in study.criteria.all() if SCALES[row.scale].is_ordered]
        offer(self, "criterion", [(row.name, shown(label_of_key(row.name))) for row in ordered])


class MachineForm(AskedModelForm):
    """A language model that rates in a campaign."""

    declared = MachineFields
    foremost = ("endpoint", "model", "folder", "name")


# The form of a public link.


class PublicLinkForm(DeclaredForm):
    """Which page, for how long, and whether a release's datasheet and guidelines are shown, too."""

    declared = PublicLinkFields

    def __init__(self, data: Any = None, *, study: Study, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.releases = {f"release-{one.number}": one for one in study.releases.only("number", "study_id")}
        pages: list[tuple[str, Any]] = [
            (page.value, page.label) for page in PublicLink.Page if page != PublicLink.Page.RELEASE
        ]
        pages += [(name, _("Release %(number)d") % {"number": one.number}) for name, one in self.releases.items()]
        offer(self, "page", pages)

    def link(self) -> dict[str, Any]:
        """As `make_public_link` takes it."""
        release = self.releases.get(self.cleaned_data["page"])
        page = PublicLink.Page.RELEASE.value if release else self.cleaned_data["page"]
        return {**self.cleaned_data, "page": page, "release": release}


# The form by which a human study's exclusions and main comparison are amended.

IN_FIELD = {
    "costs.seconds": "seconds", "costs.pay": "per_hour", "pay": "per_hour", "pay.currency": "currency",
    "pay.hour": "per_hour", "pay.item": "per_item", "controls": "kinds", "controls.kinds": "kinds",
    "controls.every": "every",
}  # fmt: skip


COMPARED = {"systems": "compared"}  # a plan has systems that are judged besides


class AmendForm(forms.Form):
    """The rules of exclusion and the main comparison, which may still be changed after a study opened."""

    def __init__(self, data: Any = None, *, study: Study, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial, use_required_attribute=False)
        self.study = study
        names = [(system.name, system.name) for system in study.systems.all()]
        chosen: dict[str, dict[str, Any]] = {
            "baseline": {"kind": forms.ChoiceField, "choices": [("", _("no main comparison")), *names]},
            "systems": {
                "kind": forms.MultipleChoiceField, "choices": names, "widget": forms.CheckboxSelectMultiple,
            },
            "proxy": {"kind": forms.ChoiceField, "choices": [("", _("none")), *proxies_of(study).items()]},
        }  # fmt: skip
        self.fields["use_controls"] = form_field(option_named(HumanStudyFields, "use_controls"))
        for one in list_options(Exclusions):
            self.fields[one.name] = form_field(one)
        for one in list_options(MainComparison):
            name = COMPARED.get(one.name, one.name)
            self.fields[name] = form_field(one, **{"required": False, **chosen.get(one.name, {})})

    @property
    def rules(self) -> list[Any]:
        return [self[one.name] for one in list_options(Exclusions)]

    @property
    def comparing(self) -> list[Any]:
        return [self[COMPARED.get(one.name, one.name)] for one in list_options(MainComparison)]

    def amendments(self) -> dict[str, Any]:
        """The arguments of `amend_human_study`. Only after is_valid()."""
        given = self.cleaned_data
        comparison = {one.name: given[COMPARED.get(one.name, one.name)] for one in list_options(MainComparison)}
        return {
            "exclusions": {one.name: given[one.name] for one in list_options(Exclusions)},
            "comparison": {name: value for name, value in comparison.items() if value not in ("", None)},
            "use_controls": given["use_controls"],
        }

    def tell(self, error: UserError, field: str | None = None) -> None:
        """Put an action's message beside the field that it names, else above the form."""
        last = error.where.rpartition(".")[2]
        names = (IN_FIELD.get(error.where, error.where), COMPARED.get(last, last))
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
APART = frozenset({"criteria", "eligibility", "costs", "controls", "exclusions", "comparison", "use_controls"})
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

    def __init__(self, data: Any = None, *, study: Study, plan: HumanStudy | None = None, preset: Any = None) -> None:
        fields = _initial(plan) if plan else {"systems": [system.pk for system in study.systems.all()]}
        fields |= _from_preset(preset) if preset else {}
        super().__init__(data, study=study, initial=fields)
        self.plan = plan
        for one in list_options(HumanStudyFields):
            if one.name not in APART:
                self.fields[one.name] = form_field(one, **IN_FORM.get(one.name, {}))
        for one in list_options(Controls):
            self.fields[one.name] = form_field(one)
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
        self.criteria: Any = CriteriaForm(
            data, prefix="criteria", initial=_criteria(study, plan, preset), form_kwargs=scales_for(study)
        )
        self.criteria.extra = 1  # for pages without scripts; with them the page adds rows
        self.eligibility = EligibilityForm(
            data, campaigns=study.campaigns.all(), stored=plan.eligibility if plan else None
        )

    @property
    def rated(self) -> list[str]:
        """The names of the criteria in the rows."""
        return [name for row in self.criteria if (name := row["name"].value())]

    def is_valid(self) -> bool:
        parts = [super().is_valid(), self.criteria.is_valid(), self.eligibility.is_valid()]
        return all(parts)

    def faults(self) -> list[tuple[str, str, str]]:
        """Each fault of the form: the id of its field, the field's name for people, and a sentence."""
        rows = [(form[name], said) for form in (self, *self.criteria) for name, said in form.errors.items()
                if name in form.fields]  # fmt: skip
        return [(field.id_for_label, str(field.label), " ".join(map(str, said))) for field, said in rows]

    def warnings(self) -> list[str]:
        """The reasons why the report could order no systems by a criterion. Only after is_valid()."""
        chosen = dict.fromkeys(row["scale"] for row in self.criteria.given())
        return [f"{gettext(SCALES[one].label)}: {said}" for one in chosen if (said := unsaid_ends(self.study, one))]

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
            "eligibility": self.eligibility.values(),
            "controls": {"every": given["every"], "kinds": given["kinds"]} if given["kinds"] else {},
            "costs": {**({"seconds": given["seconds"]} if given["seconds"] else {}), **({"pay": pay} if pay else {})},
            **self.amendments(),
        }

    def tell(self, error: UserError, field: str | None = None) -> None:
        rule = error.where.removeprefix("eligibility.").replace(".", "-")
        if error.where.startswith("eligibility.") and rule in self.eligibility.fields:
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
    return {"name": gettext(preset.kind or preset.label), **fields, **preset.fields.get("controls", {})}


def _criteria(study: Study, plan: HumanStudy | None, preset: Any) -> list[dict[str, Any]]:
    """Those of the plan or the preset, on the study's own scale where it has the criterion; else of the study."""
    if plan is not None:
        return list(plan.criteria)
    if preset is not None:
        scales = dict(study.criteria.values_list("name", "scale"))
        return [{**row, "scale": scales.get(row["name"], row["scale"])} for row in preset.fields["criteria"]]
    return [dict(row) for row in study.criteria.values("name", "scale", "aspect", "beside")]
