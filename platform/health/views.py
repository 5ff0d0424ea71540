"""The probes of load balancers and alerts (`/health/live`, `ready`, `status`), and the admins' page of health."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from health.findings import Finding, findings, serving
from health.state import state


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """This process answers; it asks neither database nor Redis."""
    return JsonResponse({"live": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Whether this node can serve people, 503 where it cannot; parts for jobs, or shared by all nodes, do not count."""
    return _told("ready", serving())


@never_cache
@require_safe
def whole(request: HttpRequest) -> HttpResponse:
    """Whether all of the site is there, workers and storage too: for alerts, not for a load balancer."""
    return _told("well", findings())


def _told(word: str, found: list[Finding]) -> HttpResponse:
    well = all(one.well for one in found)
    checks = {one.name: {"well": one.well, "said": one.said, "seconds": round(one.seconds, 3)} for one in found}
    return JsonResponse({word: well, "checks": checks}, status=200 if well else 503)


@require_safe
def health(request: Any) -> HttpResponse:
    """The page; htmx asks every few seconds for its moving part."""
    template = "config/_health.html" if request.htmx else "config/health.html"
    return render(request, template, state())
