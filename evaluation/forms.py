"""The forms of metrics and of uploaded judgements."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotation.scales import SCALES
from corpora.formats import FORMATS, JudgementFormat, RatingColumns, names_of
from corpora.models import Study
from evaluation.metrics import METRICS

CRITERIA = 4  # rows of the form that ask for a criterion beyond those that the study has


class MetricsForm(forms.Form):
    """A box for each metric, and its settings: `bleu`, `bleu.tokenize`, `bleu.lowercase`."""

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data)
        chosen = dict(study.metric_choices.values_list("metric", "settings"))
        for name, metric in METRICS.items():
            self.fields[name] = forms.BooleanField(
                label=metric.label, required=False, initial=name in chosen, help_text=_help(metric)
            )
            for key, default in metric.defaults.items():
                self.fields[f"{name}.{key}"] = _setting(metric, key, chosen.get(name, {}).get(key, default))

    def groups(self) -> Iterator[dict[str, Any]]:
        """Each metric's box with the fields of its settings."""
        for name, metric in METRICS.items():
            own = [self[f"{name}.{key}"] for key in metric.defaults]
            yield {"name": name, "metric": metric, "box": self[name], "settings": own}

    def metrics(self) -> dict[str, dict[str, Any]]:
        """The chosen metrics with their settings, as `choose_metrics` takes them."""
        given = self.cleaned_data
        return {
            name: {key: given[f"{name}.{key}"] for key in metric.defaults}
            for name, metric in METRICS.items()
            if given[name]
        }


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


def _help(metric: Any) -> str:
    ends = {True: _("higher is better"), False: _("lower is better"), None: _("neither end is the better one")}
    told = f"{metric.paper.authors} ({metric.paper.year}); {_(metric.unit)}; {ends[metric.higher_is_better]}"
    return f"{told}. {_(why)}" if (why := metric.unavailable()) else told


def _setting(metric: Any, key: str, value: Any) -> forms.Field:
    """A field of the kind of the setting's default. One that is left out has its default: a metric may be newer than
    the page or the script that sends the form."""
    label, default = key.replace("_", " "), metric.defaults[key]
    given = {"label": label, "required": False, "initial": value}
    if isinstance(default, bool):
        return forms.BooleanField(**given)
    if key in metric.choices:
        choices = [(one, one) for one in metric.choices[key]]
        return forms.TypedChoiceField(**given, choices=choices, empty_value=default)
    if isinstance(default, str):
        return forms.CharField(**given, max_length=300, empty_value=default)
    low, high = metric.bounds.get(key, (None, None))
    kind = _WholeField if isinstance(default, int) else _NumberField
    return kind(**given, min_value=low, max_value=high, default=default)


class _Defaulted:
    """A field of a number that has its default where it is left empty."""

    def __init__(self, *, default: float, **given: Any) -> None:
        self.default = default
        super().__init__(**given)

    def clean(self, value: Any) -> Any:
        found = super().clean(value)  # type: ignore[misc]
        return self.default if found is None else found


class _WholeField(_Defaulted, forms.IntegerField):
    pass


class _NumberField(_Defaulted, forms.FloatField):
    pass
