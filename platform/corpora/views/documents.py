"""The pages of a study's documents and questions, and the form that brings documents in."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Can
from accounts.telling import form_page, telling
from corpora.actions.start_import import start_import
from corpora.documents import documents_of, pieces, with_counts
from corpora.forms.documents import ImportForm
from corpora.models import Document, DocumentSentence

A_PAGE = 50


@require_safe
def study_documents(request: Any, study: str) -> HttpResponse:
    """The documents, found by words, style, question and split."""
    page = Paginator(documents_of(request.study, request.GET), A_PAGE).get_page(request.GET.get("page"))
    page.object_list = with_counts(page.object_list)
    sentences = DocumentSentence.objects.filter(document__study=request.study)
    context = {
        "page": page, "may_edit": request.study.can(request.user, Can.EDIT_STUDY),
        "asked": request.GET, "filtered": any(request.GET.get(name) for name in FILTERS),
        "styles": request.study.styles, "splits": Document._meta.get_field("split").choices,
        "counts": {
            "documents": request.study.documents.count(), "sentences": sentences.count(),
            "held": sentences.filter(held=True).count(), "questions": request.study.questions.count(),
        },
    }  # fmt: skip
    return render(request, "corpora/documents.html", context)


FILTERS = ("q", "style", "topic", "question", "split", "flagged")


@require_safe
def document(request: Any, study: str, document: int) -> HttpResponse:
    """A document's sentences in order under their sections; those held back are shown to people who decide on them."""
    one = get_object_or_404(Document.objects.select_related("question"), pk=document, study=request.study)
    decides = request.study.can(request.user, Can.EDIT_STUDY)
    sentences = list(one.sentences.order_by("number"))
    before = None
    for sentence in sentences:
        sentence.heading = sentence.section if sentence.section != before else ""
        before = sentence.section
        sentence.hidden = (sentence.held or sentence.dropped) and not decides
        sentence.pieces = pieces(sentence.text, sentence.flags if sentence.held else [])
    versions = Document.objects.filter(links_to__target=one) | Document.objects.filter(links_from__source=one)
    may_edit = request.study.can(request.user, Can.EDIT_STUDY)
    context = {"document": one, "sentences": sentences, "versions": versions.distinct(), "may_edit": may_edit}
    return render(request, "corpora/document.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def documents_new(request: Any, study: str) -> HttpResponse:
    """A file of documents; a job imports it."""
    form = ImportForm(request=request, study=request.study)
    if form.is_valid():
        with telling(form, "file"):
            upload = start_import(study=request.study, by=request.user, **form.given())
            return redirect("job", study=study, job=upload.job_id)
    return form_page(request, "corpora/documents_new.html", form)


@require_safe
def study_questions(request: Any, study: str) -> HttpResponse:
    """The questions with how many documents answer them."""
    rows = request.study.questions.annotate(document_count=Count("documents")).order_by("number")
    page = Paginator(rows, A_PAGE).get_page(request.GET.get("page"))
    return render(request, "corpora/questions.html", {"page": page})
