"""The page of a study's texts, and the forms that add to them. Authorization sets `request.study`."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Length
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.permissions import Can
from accounts.telling import form_page, telling
from corpora.actions.add_direction import add_direction
from corpora.actions.remove_references import remove_references
from corpora.forms.search import SentencesForm
from corpora.forms.studies import PairForm
from corpora.models import Direction, Reference, ReferenceSet, Sentence
from corpora.texts.queries import directions_of, with_texts
from corpora.views.trash import tell_removed

WORDS = 8  # of a search; further ones are ignored
ORDERS = {
    "": ("number",), "-number": ("-number",), "length": ("length", "number"), "-length": ("-length", "number"),
}  # fmt: skip


def find_sentences(direction: Direction, asked: Mapping[str, Any]) -> QuerySet[Sentence]:
    """The sentences of a `split` with each word of `q` in the source, in a reference, or as their number."""
    found = direction.sentences.all()
    if split := asked.get("split"):
        found = found.filter(split=split)
    for word in str(asked.get("q") or "").split()[:WORDS]:
        in_reference = Reference.objects.filter(sentence=OuterRef("pk"), text__icontains=word)
        found = found.filter(Q(text__icontains=word) | Q(Exists(in_reference)) | _number(word))
    return found.annotate(length=Length("text")).order_by(*ORDERS[asked.get("sort") or ""])


def _number(word: str) -> Q:
    return Q(number=int(word)) if word.isascii() and word.isdigit() and len(word) < 9 else Q(pk__in=[])


A_PAGE = 50


@require_safe
def study_texts(request: Any, study: str) -> HttpResponse:
    """The directions with their counts, and the sentences of one with their references and outputs."""
    directions = directions_of(request.study)
    asked = request.GET.get("direction")
    direction = next((one for one in directions if str(one.number) == asked), directions[0] if directions else None)
    context = {
        "directions": directions, "direction": direction,
        "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
    }  # fmt: skip
    if direction:
        context["bring_url"] = bring_url(direction) if context["may_edit"] else ""
        form = SentencesForm(request.GET)
        page = Paginator(find_sentences(direction, form.asked), A_PAGE).get_page(request.GET.get("page"))
        page.object_list = with_texts(page.object_list)
        context |= {
            "page": page, "sets": direction.reference_sets.order_by("number"), "form": form,
            "here": reverse("study_texts", args=[study]), "kept": ("direction", direction.number),
            "narrowed": form.has_changed(),
        }  # fmt: skip
    return render(request, "corpora/texts.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def direction_new(request: Any, study: str) -> HttpResponse:
    """A direction of transfer; its sources come next."""
    form = PairForm(request.POST or None, study=request.study)
    if form.is_valid():
        with telling(form):
            return redirect(bring_url(add_direction(study=request.study, **form.cleaned_data)))
    return form_page(request, "corpora/direction_new.html", form)


@require_POST
def references_remove(request: Any, study: str, references: int) -> HttpResponse:
    there = get_object_or_404(ReferenceSet, pk=references, direction__study=request.study)
    with telling(request):
        tell_removed(request, remove_references(references=there, by=request.user))
    return redirect(texts_url(there.direction))


def bring_url(direction: Direction) -> str:
    """Where a table of texts of this direction comes in."""
    return f"{reverse('table_new', args=[direction.study.slug])}?target=texts&direction={direction.number}"


def texts_url(direction: Direction) -> str:
    """Where the texts of this direction are shown."""
    return reverse("study_texts", args=[direction.study.slug], query={"direction": direction.number})
