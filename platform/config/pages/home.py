"""The pages that belong to no room."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.permissions import Can, may
from corpora.models import Study


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The studies of the person who asks; those that are archived where they ask for them."""
    archived = request.GET.get("archived") == "1"
    there = list(Study.objects.of(request.user).with_role_of(request.user))
    shown = [study for study in there if (study.archived_at is not None) == archived]
    context = {
        "studies": shown, "archived": archived, "put_aside": len(there) - len(shown),
        "may_create": may(request.user, Can.CREATE_STUDY),
    }  # fmt: skip
    return render(request, "config/home.html", context)


@require_safe
def api_page(request: HttpRequest) -> HttpResponse:
    """The API's description, drawn from its schema."""
    from config.api.reference import examples, parts  # the schema asks for the addresses, which ask for this

    return render(request, "config/api.html", {"parts": parts(), "examples": examples(request)})
