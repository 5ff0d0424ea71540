"""Links to show a page of a study: made and revoked in the study, and the page that anybody with one reads."""

from typing import Any

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.actions.make_public_link import make_public_link
from evaluation.actions.revoke_public_link import revoke_public_link
from evaluation.forms.public_link import PublicLinkForm
from evaluation.presenters.public_pages import public_context
from evaluation.public_links.opening import note_use, public_link_of
from foundation.errors import UserError


@require_http_methods(["GET", "HEAD", "POST"])
def study_public_links(request: Any, study: str) -> HttpResponse:
    """The links of the study; the address of a new one is in the answer to its making and nowhere else."""
    data = request.POST if request.method == "POST" else None
    form = PublicLinkForm(data, study=request.study, initial={"page": request.GET.get("page", "")})
    made, address = None, ""
    if form.is_bound and form.is_valid():
        try:
            made, secret = make_public_link(study=request.study, by=request.user, **form.link())
            address = request.build_absolute_uri(reverse("public_page", args=[secret]))
            form = PublicLinkForm(study=request.study)
        except UserError as error:
            form.add_error(error.where if error.where in form.fields else None, error.sentence)
    context = {
        "form": form, "made": made, "address": address,
        "links": request.study.public_links.select_related("made_by", "release"),
    }  # fmt: skip
    return render(request, "evaluation/public_links/links.html", context, status=422 if form.is_bound else 200)


@require_POST
def public_link_revoke(request: Any, study: str, link: int) -> HttpResponse:
    revoke_public_link(link=get_object_or_404(request.study.public_links, pk=link), by=request.user)
    messages.success(request, _("The link no longer works."))
    return redirect("study_public_links", study=study)


@require_safe
def public_page(request: Any, secret: str) -> HttpResponse:
    """The page of a link, for anybody who has it; one that is no longer open says so."""
    if not ratelimit.consume(request, app="allauth.account", action="public_page", limit_get=True):
        return render(request, "429.html", status=429)
    link = public_link_of(secret)
    if link is not None and link.is_open:
        note_use(link)
        answer = render(request, "evaluation/public_links/page.html", public_context(link))
    else:
        status = 410 if link else 404
        answer = render(request, "evaluation/public_links/closed.html", {"link": link}, status=status)
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer
