"""The page of judgements that were collected elsewhere."""

from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.option_fields import DeclaredForm, UncutField, offer
from accounts.telling import go_on, telling
from annotation.scales import SCALES, is_own, short_name
from corpora.formats import FORMATS, JudgementFormat, RatingColumns, TextFile, names_of
from corpora.models import Study
from corpora.views.trash import tell_removed
from evaluation.actions.remove_ratings import remove_ratings
from evaluation.actions.upload_ratings import RatingsFields, upload_ratings
from foundation.errors import first_five
from foundation.options import list_options

CRITERIA = 4  # rows of the form that ask for a criterion beyond those that the study has


USUAL = {"worker": "WorkerId", "source": "Input.origs", "output": "Input.mods", "response": "Answer.responses"}


class RatingsForm(DeclaredForm):
    """A file of judgements, the names of its columns, and what it judges on which scale."""

    declared = RatingsFields
    in_form = {
        **{name: {"initial": column} for name, column in USUAL.items()},
        "target_style": {"empty_value": None}, "seconds": {"empty_value": None},
        "separator": {
            "kind": forms.TypedChoiceField, "coerce": {"tab": "\t", "|": "|", ";": ";"}.get, "help_text": "",
            "choices": [("tab", _("a tab")), ("|", "|"), (";", ";")], "initial": "tab", "required": True,
        },
    }  # fmt: skip
    field_order = ("format", "file")
    file = forms.FileField(label=_("File"), max_length=300)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "format", [(name, _(FORMATS[name].title)) for name in names_of(JudgementFormat)])
        known = list(study.criteria.values_list("name", "scale", "aspect"))
        own = dict.fromkeys([*study.scales.values_list("line", flat=True), *(scale for _name, scale, _of in known)])
        scales: list[tuple[str, Any]] = [("", _("not in the file"))]
        scales += [(name, _(scale.label)) for name, scale in SCALES.items()]
        scales += [(line, short_name(line)) for line in own if is_own(line)]
        self.rows = range(len(known) + CRITERIA)
        for row in self.rows:
            name, scale, aspect = known[row] if row < len(known) else ("", "", "")
            place = row + 1
            self.fields[f"name{row}"] = UncutField(
                label=_("Criterion %(n)s") % {"n": place}, required=False, initial=name, max_length=60
            )
            self.fields[f"scale{row}"] = forms.ChoiceField(
                label=_("Scale %(n)s") % {"n": place}, required=False, initial=scale, choices=scales
            )
            self.fields[f"aspect{row}"] = UncutField(
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
        return RatingColumns(**{one.name: self.cleaned_data[one.name] for one in list_options(RatingColumns)})

    def criteria(self) -> dict[str, dict[str, str]]:
        """Those rows that have a name and a scale."""
        given = self.cleaned_data
        rows = [{part: given[f"{part}{row}"] for part in ("name", "scale", "aspect")} for row in self.rows]
        return {
            row["name"]: {"scale": row["scale"], "aspect": row["aspect"]}
            for row in rows
            if row["name"] and row["scale"]
        }


@require_http_methods(["GET", "HEAD", "POST"])
def study_ratings(request: Any, study: str) -> HttpResponse:
    """List the imports; POST uploads one."""
    form = RatingsForm(request.POST or None, request.FILES or None, study=request.study)
    if form.is_bound and form.is_valid():
        with telling(form):
            count = _upload(request, form).judgements.count()
            said = ngettext("%(n)s judgement is imported.", "%(n)s judgements are imported.", count) % {"n": count}
            return go_on(request, said, "study_ratings", study=study)
    known = list(request.study.rater_traits.values_list("traits", "left_out"))
    traits = [one for one, _why in known if one]
    context = {
        "form": form,
        "traits": len(traits),
        "trait_names": first_five(dict.fromkeys(name for one in traits for name in one)),
        "left_out": sum(bool(why) for _traits, why in known),
        "imports": request.study.ratings_imports.annotate(size=Count("judgements")).select_related("made_by"),
    }
    return render(request, "evaluation/ratings.html", context, status=422 if form.is_bound else 200)


@require_POST
def ratings_remove(request: Any, study: str, number: int) -> HttpResponse:
    ratings_import = get_object_or_404(request.study.ratings_imports, number=number)
    with telling(request):
        tell_removed(request, remove_ratings(ratings=ratings_import, by=request.user))
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
