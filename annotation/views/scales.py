"""The scales of a study: those that all studies have, and its own."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.option_fields import UncutField
from accounts.telling import form_page, go_on, telling
from annotation.actions.add_scale import add_scale
from annotation.actions.remove_scale import remove_scale
from annotation.rating_scales import LONGEST_LABEL, LONGEST_NAME
from annotation.scales import SCALES, line_of
from foundation.errors import UserError

MEASUREMENTS = [
    ("ordinal", _("ordinal: the levels have an order")),
    ("interval", _("interval: equal steps, so means are meaningful")),
    ("nominal", _("nominal: the levels have no order")),
]


class ScaleForm(forms.Form):
    """Levels, or the two ends of a range; the action checks what the line of them says."""

    name = UncutField(label=_("Name"), max_length=LONGEST_NAME)
    measurement = forms.ChoiceField(label=_("Level of measurement"), choices=MEASUREMENTS)
    levels = UncutField(
        label=_("Levels"), required=False, max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
        help_text=_("One level per line, from the lowest: its number and its words, such as 1 Rude. For a range, give "
        "the words of its two ends."),
    )  # fmt: skip
    lowest = UncutField(label=_("Lowest value of a range"), required=False, max_length=20)
    highest = UncutField(label=_("Highest value of a range"), required=False, max_length=20)
    step = UncutField(
        label=_("Step of a range"),
        required=False,
        max_length=20,
        help_text=_("Raters choose in these steps. Left empty, 1."),
    )
    low_pole = UncutField(label=_("Style of the low end"), required=False, max_length=LONGEST_LABEL)
    high_pole = UncutField(
        label=_("Style of the high end"),
        required=False,
        max_length=LONGEST_LABEL,
        help_text=_("For a scale from one style to another. Left empty, more is better in every direction."),
    )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        levels = [line.partition(" ")[::2] for line in map(str.strip, given.get("levels", "").splitlines()) if line]
        low, high = given.get("lowest", ""), given.get("highest", "")
        ends = (low, high, given.get("step", "")) if low or high else None
        try:
            poles = given.get("low_pole", ""), given.get("high_pole", "")
            given["line"] = line_of(given.get("name", ""), given.get("measurement", ""), levels, ends, poles)
        except UserError as error:
            self.add_error({"ends": "lowest"}.get(error.where, error.where if error.where in self.fields else None),
                           error.sentence)  # fmt: skip
        return given


@require_http_methods(["GET", "HEAD", "POST"])
def study_scales(request: Any, study: str) -> HttpResponse:
    form = ScaleForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with telling(form):
            made = add_scale(study=request.study, line=form.cleaned_data["line"], by=request.user)
            said = _("The scale %(name)s can be chosen now.") % {"name": made.name}
            return go_on(request, said, "study_scales", study)
    measured = dict(MEASUREMENTS)
    own = [(row, SCALES[row.line], measured[SCALES[row.line].measurement]) for row in request.study.scales.all()]
    usual = [(name, scale, measured[scale.measurement]) for name, scale in SCALES.items()]
    return form_page(request, "annotation/scales.html", form, own=own, usual=usual)


@require_POST
def scale_remove(request: Any, study: str, scale: int) -> HttpResponse:
    remove_scale(scale=get_object_or_404(request.study.scales, pk=scale), by=request.user)
    messages.success(request, _("The scale is off the list. Its ratings stay."))
    return redirect("study_scales", study=study)
