"""The page that begins a study from a template."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from annotation.actions.begin_study import begin_study
from annotation.study_templates import TEMPLATES
from corpora.forms.studies import StudyForm, TellingForm
from corpora.views.studies import free_slug
from foundation.errors import UserError


class BeginForm(TellingForm):
    """A study from a template."""

    template = forms.ChoiceField(
        label=gettext_lazy("Template"), choices=lambda: [(name, one.label) for name, one in TEMPLATES.items()]
    )
    title = StudyForm.base_fields["title"]
    slug = StudyForm.base_fields["slug"]


@require_http_methods(["GET", "HEAD", "POST"])
def study_begin(request: HttpRequest) -> HttpResponse:
    """A study from one of the templates."""
    form = BeginForm(request.POST or None)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            made = begin_study(**{**given, "slug": given["slug"] or free_slug(given["title"])}, by=request.user)
        except UserError as error:
            form.tell(error)
        else:
            messages.success(request, _("The study is made, with its stages planned."))
            return redirect("study", study=made.slug)
    context = {"form": form, "templates": list(TEMPLATES.values()), "chosen": form["template"].value()}
    return render(request, "corpora/study_begin.html", context, status=422 if form.errors else 200)
