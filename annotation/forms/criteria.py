"""The rows in which a researcher names the criteria that outputs are rated on."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import UncutField, offer
from annotation.models import Criterion
from annotation.scales import SCALES, is_own, short_name
from annotation.task_types.rate import COLUMNS
from corpora.models import Study
from foundation.aspects import ASPECTS
from foundation.criterion_names import LONGEST, REFUSED, is_criterion_name
from foundation.polarity import undeclared

CRITERIA = 5  # rows of the form; more of them go through the API or the study file
BESIDE = [
    ("", _("by scale and aspect")),
    ("nothing", _("nothing")),
    ("source", _("the source")),
    ("source_and_reference", _("source and reference")),
]


def unsaid_ends(study: Study, scale: str) -> str:
    """The warning that a scale measures styles which the study calls otherwise, and the remedy."""
    poles = SCALES[scale].poles if scale in SCALES else None
    if poles is None or len(undeclared(poles, study.styles, study.poles)) < len(poles):
        return ""
    said = _(
        "This scale goes from %(low)s to %(high)s, which are not styles of this study. On the page Edit the "
        "study, say which styles they mean; otherwise the report cannot say which system is better."
    )
    return said % {"low": poles[0], "high": poles[1]}


class CriterionForm(forms.Form):
    name = UncutField(label=_("Criterion"), max_length=LONGEST, required=False)
    scale = forms.ChoiceField(label=_("Scale"), required=False)
    aspect = forms.ChoiceField(
        label=_("Aspect"), choices=[("", _("none of these")), *((name, _(name)) for name in ASPECTS)], required=False
    )
    beside = forms.ChoiceField(label=_("Shown beside"), choices=BESIDE, required=False)

    def __init__(self, *args: Any, study: Study | None = None, own: Sequence[str] = (), **options: Any) -> None:
        """`own` are the lines of the study's own scales."""
        super().__init__(*args, **options)
        chosen = self.initial.get("scale", "")
        own = [*own, *([chosen] if chosen in SCALES and is_own(chosen) and chosen not in own else [])]
        usual = [(name, f"{_(scale.label)} ({name})") for name, scale in SCALES.items()]
        offer(self, "scale", [*usual, *((line, short_name(line)) for line in own)])
        self.fields["scale"].help_text = unsaid_ends(study, self.initial.get("scale", "")) if study else ""

    def clean_name(self) -> str:
        name = unicodedata.normalize("NFC", self.cleaned_data["name"])
        if name and not is_criterion_name(name):
            raise forms.ValidationError(_(REFUSED))
        return name

    @property
    def has_data(self) -> bool:
        """Whether the row has a criterion, or a fault."""
        return bool(self["name"].value() or (self.is_bound and self.errors))


class CriterionRows(forms.BaseFormSet):  # type: ignore[type-arg]  # Django has it without
    def given(self) -> list[dict[str, Any]]:
        """The rows that name a criterion. Where nobody chose what to show beside it, its scale and aspect decide."""
        named = [form_row.cleaned_data for form_row in self if form_row.cleaned_data.get("name")]
        rows = [{key: row[key] for key in ("name", "scale", "aspect", "beside")} for row in named]
        return [{key: value for key, value in form_row.items() if value or key != "beside"} for form_row in rows]


CriteriaForm = forms.formset_factory(CriterionForm, formset=CriterionRows, extra=CRITERIA, max_num=20)


def scales_for(study: Study) -> dict[str, Any]:
    """The facts about the study for each row of the criteria, read once."""
    return {"study": study, "own": list(study.scales.values_list("line", flat=True))}


def criteria_form(study: Study, data: Any = None) -> CriterionRows:
    """The criteria of the study to begin with; where it has none, those of the papers."""
    own = Criterion.objects.filter(study=study).values("name", "scale", "aspect", "beside")
    initial = [one for one in own if is_criterion_name(one["name"]) and one["name"].casefold() not in COLUMNS] or [
        {"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"},
        {"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"},
        {"name": "meaning", "scale": "meaning_6", "aspect": "meaning", "beside": "source"},
    ]
    formset: Any = CriteriaForm(data, prefix="criteria", initial=initial, form_kwargs=scales_for(study))
    formset.extra = max(1, CRITERIA - len(initial))
    rows: CriterionRows = formset
    return rows
