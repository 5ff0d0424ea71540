"""The form of judgements from elsewhere."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.scales import SCALES, is_own, short_name
from corpora.formats import FORMATS, JudgementFormat, RatingColumns, names_of
from corpora.models import Study

CRITERIA = 4  # rows of the form that ask for a criterion beyond those that the study has


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
        own = dict.fromkeys([*study.scales.values_list("line", flat=True), *(scale for _name, scale, _of in known)])
        scales = [("", _("not in the file")), *[(name, _(scale.label)) for name, scale in SCALES.items()]]
        scales += [(line, short_name(line)) for line in own if is_own(line)]
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
