"""The forms of campaigns."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.permissions import Role
from annotation.models import Criterion
from annotation.scales import SCALES
from annotation.task_types import TASK_TYPES
from corpora.models import Study

CRITERIA = 5  # rows of the form; more of them go through the API or the study file
ASPECTS = [
    ("", _("none of these")),
    ("style", _("style")),
    ("fluency", _("fluency")),
    ("meaning", _("meaning")),
    ("content", _("content")),
    ("overall", _("overall")),
]
BESIDE = [
    ("nothing", _("nothing")),
    ("source", _("the source")),
    ("source_and_reference", _("source and reference")),
]
ROLES = [
    (Role.EXPERT_ANNOTATOR.value, _("Expert annotators")),
    (Role.CROWD_ANNOTATOR.value, _("Crowd annotators")),
    (Role.REVIEWER.value, _("Reviewers")),
    (Role.RESEARCHER.value, _("Researchers")),
]


class CampaignForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    task_type = forms.ChoiceField(label=_("Kind of work"), widget=forms.RadioSelect)
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    overlap = forms.IntegerField(
        label=_("People an item"), min_value=1, max_value=100, initial=1,
        help_text=_("So many different people answer each item."),
    )  # fmt: skip
    systems = forms.MultipleChoiceField(
        label=_("Systems to judge"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("For rating and ranking. None ticked means all."),
    )  # fmt: skip
    rate_reference = forms.BooleanField(
        label=_("Judge a reference too"), required=False,
        help_text=_("One of the references of each source, drawn by seed, stands among the outputs."),
    )  # fmt: skip
    outputs_per_item = forms.IntegerField(
        label=_("Outputs on a page"),
        min_value=0,
        max_value=100,
        initial=0,
        help_text=_("For rating. 0 shows all outputs of a source together."),
    )
    roles = forms.MultipleChoiceField(
        label=_("Who may work on it"), choices=ROLES, widget=forms.CheckboxSelectMultiple,
        initial=[value for value, _label in ROLES],
    )  # fmt: skip
    lease_minutes = forms.IntegerField(
        label=_("Minutes for an item"), min_value=1, max_value=7 * 24 * 60, initial=60,
        help_text=_("After so long without a sign of its annotator an item may go to somebody else."),
    )  # fmt: skip
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=-(2**31), max_value=2**31 - 1)
    guideline = forms.CharField(label=_("Guideline"), required=False, widget=forms.Textarea(attrs={"dir": "auto"}))

    def __init__(self, *args: Any, study: Study, **options: Any) -> None:
        super().__init__(*args, **options)
        self.study = study
        kinds = [(name, f"{_(kind.label)}: {_(kind.verb).lower()}") for name, kind in TASK_TYPES.items()]
        self.choices("task_type", kinds)
        self.choices("direction", [("", _("All directions")), *((one.pk, one.name) for one in study.directions.all())])
        self.choices("systems", [(one.pk, one.name) for one in study.systems.all()])

    def choices(self, field: str, choices: list[Any]) -> None:
        self.fields[field].choices = choices

    def options(self, criteria: list[dict[str, Any]]) -> dict[str, Any]:
        """What `create_campaign` takes, from a form that is valid."""
        given = self.cleaned_data
        kind = TASK_TYPES[given["task_type"]]
        wanted = {"criteria": criteria, "rate_reference": given["rate_reference"]}
        wanted["outputs_per_item"] = given["outputs_per_item"]
        systems = list(self.study.systems.filter(pk__in=given["systems"])) if given["systems"] else None
        return {
            **{
                key: given[key]
                for key in ("name", "task_type", "overlap", "roles", "lease_minutes", "seed", "guideline")
            },
            "direction": self.study.directions.get(pk=given["direction"]) if given["direction"] else None,
            "systems": systems,
            "settings": {key: value for key, value in wanted.items() if key in kind.defaults},
        }


class CriterionForm(forms.Form):
    name = forms.SlugField(label=_("Criterion"), max_length=50, required=False)
    scale = forms.ChoiceField(label=_("Scale"), required=False)
    aspect = forms.ChoiceField(label=_("Aspect"), choices=ASPECTS, required=False)
    beside = forms.ChoiceField(label=_("Shown beside"), choices=BESIDE, required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["scale"].choices = [(name, f"{_(scale.label)} ({name})") for name, scale in SCALES.items()]


class CriterionRows(forms.BaseFormSet):
    def given(self) -> list[dict[str, Any]]:
        """The rows that name a criterion."""
        keys = ("name", "scale", "aspect", "beside")
        return [{key: row.cleaned_data[key] for key in keys} for row in self if row.cleaned_data.get("name")]


CriteriaForm = forms.formset_factory(CriterionForm, formset=CriterionRows, extra=CRITERIA, max_num=20)


def criteria_form(study: Study, data: Any = None) -> CriterionRows:
    """The criteria of the study to begin with; where it has none, those of the papers."""
    initial = list(Criterion.objects.filter(study=study).values("name", "scale", "aspect", "beside")) or [
        {"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"},
        {"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"},
        {"name": "meaning", "scale": "meaning_6", "aspect": "meaning", "beside": "source"},
    ]
    made = CriteriaForm(data, prefix="criteria", initial=initial)
    made.extra = max(1, CRITERIA - len(initial))
    return made


class GuidelineForm(forms.Form):
    text = forms.CharField(label=_("Guideline"), required=False, widget=forms.Textarea(attrs={"dir": "auto"}))
