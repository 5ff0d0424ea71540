"""The forms of how a report compares, and of uploaded judgements."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.scales import SCALES
from corpora.formats import FORMATS, JudgementFormat, RatingColumns, names_of
from corpora.models import Study
from evaluation.actions.choose_report import CORRECTIONS, HIGHEST, LOWEST, VARIANTS
from evaluation.models import ReportChoice

CORRECTION_LABELS = {
    "holm": _("Holm"), "benjamini_hochberg": _("Benjamini-Hochberg"), "none": _("none"),
}  # fmt: skip
VARIANT_LABELS = {
    "raw": _("as they were given"), "z": _("standardized by rater"), "filtered": _("without raters who are left out"),
}  # fmt: skip
CRITERIA = 4  # rows of the form that ask for a criterion beyond those that the study has


class ReportChoiceForm(forms.Form):
    """How a study's report compares systems: against which, how surely, and which judgements lead."""

    baseline = forms.ChoiceField(label=_("Baseline"), required=False, help_text=_("Stars mark what differs from it."))
    alpha = forms.FloatField(label=_("Level"), min_value=LOWEST, max_value=HIGHEST, help_text=_("0.05 is usual."))
    correction = forms.ChoiceField(
        label=_("Correction"), choices=[(name, CORRECTION_LABELS[name]) for name in CORRECTIONS],
        help_text=_("For comparing many systems at once."),
    )  # fmt: skip
    variant = forms.ChoiceField(
        label=_("Judgements"), choices=[(name, VARIANT_LABELS[name]) for name in VARIANTS],
        help_text=_("Those that lead; the others stand beside them."),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, study: Study) -> None:
        self.systems = {system.name: system for system in study.systems.all()}
        chosen = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
        names = {system.pk: name for name, system in self.systems.items()}
        super().__init__(data, initial={
            "baseline": names.get(chosen.baseline_id, ""), "alpha": chosen.alpha, "correction": chosen.correction,
            "variant": chosen.variant,
        })  # fmt: skip
        first = [("", _("the first that is no person"))]
        self.fields["baseline"].choices = [*first, *[(name, name) for name in self.systems]]

    def choice(self) -> dict[str, Any]:
        """As `choose_report` takes it."""
        return {**self.cleaned_data, "baseline": self.systems.get(self.cleaned_data["baseline"])}


class RatingsForm(forms.Form):
    """A file of judgements, the names of its columns, and what it judges on which scale."""

    format = forms.ChoiceField(label=_("Format"))
    file = forms.FileField(label=_("File"), max_length=300)
    worker = forms.CharField(label=_("Column of the worker"), initial="WorkerId", max_length=200)
    source = forms.CharField(label=_("Column of the sources"), initial="Input.origs", max_length=200)
    output = forms.CharField(label=_("Column of the outputs"), initial="Input.mods", max_length=200)
    response = forms.CharField(
        label=_("Column of the answers"), initial="Answer.responses", max_length=200,
        help_text=_("Its cells hold grammaticality=5 topic=4, one for each output."),
    )  # fmt: skip
    target_style = forms.CharField(
        label=_("Column of the target style"), required=False, max_length=200,
        help_text=_("May be left out where no source stands in two directions."),
    )  # fmt: skip
    seconds = forms.CharField(label=_("Column of the seconds"), required=False, max_length=200)
    separator = forms.ChoiceField(
        label=_("Between the entries of a cell"), choices=[("tab", _("a tab")), ("|", "|"), (";", ";")]
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = [(name, _(FORMATS[name].title)) for name in names_of(JudgementFormat)]
        known = list(study.criteria.values_list("name", "scale", "aspect"))
        scales = [("", _("not in the file")), *[(name, _(scale.label)) for name, scale in SCALES.items()]]
        self.rows = range(len(known) + CRITERIA)
        for row in self.rows:
            name, scale, aspect = known[row] if row < len(known) else ("", "", "")
            place = row + 1
            self.fields[f"name{row}"] = forms.CharField(
                label=_("Criterion %(n)s") % {"n": place}, required=False, initial=name, max_length=60
            )
            self.fields[f"scale{row}"] = forms.ChoiceField(
                label=_("Scale %(n)s") % {"n": place}, required=False, initial=scale, choices=scales
            )
            self.fields[f"aspect{row}"] = forms.CharField(
                label=_("Aspect %(n)s") % {"n": place}, required=False, initial=aspect, max_length=60
            )

    def main_fields(self) -> list[Any]:
        return [field for field in self if not field.name[-1].isdigit()]

    def criterion_rows(self) -> list[list[Any]]:
        return [[self[f"{part}{row}"] for part in ("name", "scale", "aspect")] for row in self.rows]

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > settings.UPLOAD_LIMIT_BYTES:
            limit = settings.UPLOAD_LIMIT_BYTES // 2**20
            raise forms.ValidationError(_("An upload may have at most %(limit)s MB.") % {"limit": limit})
        return file

    def columns(self) -> RatingColumns:
        given = self.cleaned_data
        names = {key: given[key] for key in ("worker", "source", "output", "response")}
        separator = "\t" if given["separator"] == "tab" else given["separator"]
        optional = {key: given[key] or None for key in ("target_style", "seconds")}
        return RatingColumns(**names, **optional, separator=separator)

    def criteria(self) -> dict[str, dict[str, str]]:
        """Those rows that have a name and a scale."""
        given = self.cleaned_data
        rows = [{part: given[f"{part}{row}"] for part in ("name", "scale", "aspect")} for row in self.rows]
        return {
            row["name"]: {"scale": row["scale"], "aspect": row["aspect"]}
            for row in rows
            if row["name"] and row["scale"]
        }
