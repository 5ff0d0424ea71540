"""The pages of a study as a whole."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.option_fields import DeclaredForm, UncutField
from accounts.permissions import Can
from accounts.telling import TellingForm, form_page, go_on, telling
from annotation.actions.begin_study import begin_study
from annotation.study_templates import TEMPLATES
from annotation.task_types import TASK_TYPES
from corpora.actions.delete_study import delete_study
from corpora.actions.set_archived import set_archived
from corpora.fields import NewStudyFields
from corpora.forms.studies import IN_FORM
from corpora.views.studies import free_slug
from corpora.views.trash import tell_removed
from studies.actions.duplicate_study import duplicate_study
from studies.progress import counts_of, steps_of, tasks_of, work_of
from studies.removal import contents_of

# The page that begins a study from a template.


class BeginForm(DeclaredForm):
    """A study from a template."""

    declared_first = True
    declared, names, in_form = NewStudyFields, ("title", "slug"), IN_FORM
    field_order = ("template", *names)
    template = forms.ChoiceField(
        label=gettext_lazy("Template"), choices=lambda: [(name, one.label) for name, one in TEMPLATES.items()]
    )


@require_http_methods(["GET", "HEAD", "POST"])
def study_begin(request: HttpRequest) -> HttpResponse:
    """A study from one of the templates."""
    form = BeginForm(request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        with telling(form):
            made = begin_study(**{**given, "slug": given["slug"] or free_slug(given["title"])}, by=request.user)
            return go_on(request, _("The study is created, with its stages planned."), "study", made.slug)
    context = {"templates": list(TEMPLATES.values()), "chosen": form["template"].value()}
    return form_page(request, "corpora/study_begin.html", form, **context)


# A study as a whole: archived, taken up again, deleted, duplicated. Authorization sets `request.study`.


class DeleteForm(TellingForm):
    title = UncutField(
        label=gettext_lazy("Title of the study"), max_length=300, strip=True,
        help_text=gettext_lazy("Type the title as it is written above."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )  # fmt: skip


class DuplicateForm(DeclaredForm):
    declared_first = True
    declared, names, in_form = NewStudyFields, ("title", "slug"), IN_FORM
    field_order = names
    members = forms.BooleanField(label=gettext_lazy("With its members"), required=False)


LABELS = {
    "directions": gettext_lazy("Directions"), "sentences": gettext_lazy("Sentences"),
    "references": gettext_lazy("References"), "documents": gettext_lazy("Documents"),
    "systems": gettext_lazy("Systems"), "outputs": gettext_lazy("Outputs"), "campaigns": gettext_lazy("Campaigns"),
    "answers": gettext_lazy("Answers"), "people": gettext_lazy("People who worked in it"),
    "judgements": gettext_lazy("Imported judgements"), "human_studies": gettext_lazy("Human studies"),
    "trainings": gettext_lazy("Trainings"), "checkpoints": gettext_lazy("Checkpoints"),
}  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def study_delete(request: Any, study: str) -> HttpResponse:
    """The page that deletes a study: it counts the contents, and asks for the title."""
    form = DeleteForm(request.POST or None)
    if form.is_valid():
        with telling(form):
            removal = delete_study(study=request.study, title=form.cleaned_data["title"], by=request.user)
            tell_removed(request, removal)
            return redirect("home")
    counts = contents_of(request.study)
    context = {
        "tiles": [(label, counts[name]) for name, label in LABELS.items() if counts[name]],
        "releases": counts["releases"],
    }  # fmt: skip
    return form_page(request, "corpora/study_delete.html", form, **context)


@require_POST
def study_archive(request: Any, study: str) -> HttpResponse:
    """Archive the study, or take it up again."""
    archived = request.POST.get("archived") == "yes"
    with telling(request):
        set_archived(study=request.study, archived=archived, by=request.user)
        said = _("The study is archived: you can read it, but nothing in it changes.")
        messages.success(request, said if archived else _("The study is active again."))
    return redirect("study", study=study)


@require_http_methods(["GET", "HEAD", "POST"])
def study_duplicate(request: Any, study: str) -> HttpResponse:
    """A new study that is set up as this one, without its texts."""
    form = DuplicateForm(
        request.POST or None, initial={"title": _("%(title)s, again") % {"title": request.study.title}}
    )
    if form.is_valid():
        given = form.cleaned_data
        slug = given["slug"] or free_slug(given["title"])
        with telling(form):
            made = duplicate_study(study=request.study, **{**given, "slug": slug}, by=request.user)
            said = _("The study is created with the setup of the other one. Add its texts next.")
            return go_on(request, said, "study", made.slug)
    return form_page(request, "corpora/study_duplicate.html", form)


@require_safe
def study(request: Any, study: str) -> HttpResponse:
    """The page of a study: its contents and next step; for people who only work in it, their work."""
    here, person = request.study, request.user
    if not here.can(person, Can.VIEW_STUDY):
        work = work_of(here, person)
        for campaign in work:
            campaign.verb = TASK_TYPES[campaign.task_type].verb
        return render(request, "corpora/study_work.html", {"campaigns": work})
    counts = counts_of(here)
    steps = steps_of(here, counts, person)
    may_edit = here.can(person, Can.EDIT_STUDY)
    context = {
        "counts": counts, "steps": steps, "done": sum(step.done for step in steps),
        "tasks": tasks_of(here) if may_edit else [], "template": TEMPLATES.get(here.template),
        "directions": here.directions.order_by("number"), "may_edit": may_edit,
    }  # fmt: skip
    return render(request, "corpora/study.html", context)
