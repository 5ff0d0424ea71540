"""The prompt of a language model, shown before anything is sent."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from foundation.errors import UserError
from modelserving.forms.options import OptionsForm
from modelserving.forms.training import TrainingForm
from modelserving.presenters import model_kinds
from modelserving.training_runs.prompt_preview import PromptPreview, preview_prompt
from modelserving.transfer import TRANSFERS


@require_POST
def training_prompt(request: Any, study: str) -> HttpResponse:
    """The prompt that the form of a training would make, for one train source."""
    form = TrainingForm(request.POST, study=request.study, names=model_kinds.trained())
    if not form.is_valid():
        return _shown(request, wrong=str(next(iter(form.errors.values()))[0]))
    kind, name = TRANSFERS[form.cleaned_data["model"]], form.cleaned_data["model"]
    options = OptionsForm(kind.Options, name, request.POST, prefix="option")
    if not options.fits():
        field, errors = next(iter(options.errors.items()))
        place = f"{options[field].label}: " if field in options.fields else ""
        return _shown(request, wrong=f"{place}{errors[0]}")
    try:
        chosen = {**vars(kind.choose_options(options.chosen()))}
        asked = form.cleaned_data
        return _shown(request, preview_prompt(kind, request.study, asked["direction"], chosen, asked["seed"]))
    except UserError as error:
        return _shown(request, wrong=str(error))


def _shown(request: Any, preview: PromptPreview | None = None, wrong: str = "") -> HttpResponse:
    return render(request, "modelserving/_prompt.html", {"preview": preview, "wrong": wrong})
