"""The page of judgements that were collected elsewhere."""

from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from corpora.formats import TextFile
from corpora.views.trash import tell_removed
from evaluation.actions.remove_ratings import remove_ratings
from evaluation.actions.upload_ratings import upload_ratings
from evaluation.forms.ratings import RatingsForm
from foundation.errors import UserError, first_five


@require_http_methods(["GET", "HEAD", "POST"])
def study_ratings(request: Any, study: str) -> HttpResponse:
    """List the imports; POST uploads one."""
    form = RatingsForm(request.POST or None, request.FILES or None, study=request.study)
    if form.is_bound and form.is_valid():
        try:
            ratings_import = _upload(request, form)
            count = ratings_import.judgements.count()
            messages.success(
                request, ngettext("%(n)s judgement is in.", "%(n)s judgements are in.", count) % {"n": count}
            )
            return redirect("study_ratings", study=study)
        except UserError as error:
            form.add_error(None, str(error))
    traits = list(request.study.rater_traits.values_list("traits", flat=True))
    context = {
        "form": form,
        "traits": len(traits),
        "trait_names": first_five(dict.fromkeys(name for one in traits for name in one)),
        "imports": request.study.ratings_imports.annotate(size=Count("judgements")).select_related("made_by"),
    }
    return render(request, "evaluation/ratings.html", context, status=422 if form.is_bound else 200)


@require_POST
def ratings_remove(request: Any, study: str, number: int) -> HttpResponse:
    ratings_import = get_object_or_404(request.study.ratings_imports, number=number)
    try:
        tell_removed(request, remove_ratings(ratings=ratings_import, by=request.user))
    except UserError as error:
        messages.error(request, str(error))
    return redirect("study_ratings", study=study)


def _upload(request: Any, form: RatingsForm) -> Any:
    file = form.cleaned_data["file"]
    return upload_ratings(
        study=request.study,
        format=form.cleaned_data["format"],
        file=TextFile(file, file.name),
        columns=form.columns(),
        criteria=form.criteria(),
        by=request.user,
    )
