"""The scales of a study: those that all studies have, and its own."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.actions.add_scale import add_scale
from annotation.actions.remove_scale import remove_scale
from annotation.forms.scales import ScaleForm
from annotation.scales import SCALES
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def study_scales(request: Any, study: str) -> HttpResponse:
    form = ScaleForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = add_scale(study=request.study, line=form.cleaned_data["line"], by=request.user)
            messages.success(request, _("The scale %(name)s can be chosen now.") % {"name": made.name})
            return redirect("study_scales", study=study)
        except UserError as error:
            form.add_error(error.where if error.where in form.fields else None, error.sentence)
    own = [(row, SCALES[row.line]) for row in request.study.scales.all()]
    context = {"form": form, "own": own, "usual": list(SCALES.items())}
    return render(request, "annotation/scales.html", context, status=422 if form.is_bound else 200)


@require_POST
def scale_remove(request: Any, study: str, scale: int) -> HttpResponse:
    remove_scale(scale=get_object_or_404(request.study.scales, pk=scale), by=request.user)
    messages.success(request, _("The scale is off the list. What was rated on it stays."))
    return redirect("study_scales", study=study)
