"""The pages of a study's jobs. Authorization sets `request.study`."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.permissions import Can, may
from accounts.telling import telling
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.models import Job
from jobs.queueing import jobs_of


@require_safe
def study_jobs(request: Any, study: str) -> HttpResponse:
    """The jobs, newest first; htmx asks for the table alone while one of them is unfinished."""
    return _list(request, jobs_of(request))


@require_safe
def all_jobs(request: Any) -> HttpResponse:
    """The jobs of all studies, newest first; `?state=failed` shows those of one state."""
    jobs = Job.objects.select_related("made_by").order_by("-pk")
    state = request.GET.get("state", "")
    if state in Job.State.values:
        jobs = jobs.filter(state=state)
    return _list(request, jobs, states=Job.State.choices, state=state, everywhere=True)


def _list(request: Any, jobs: Any, **context: Any) -> HttpResponse:
    page = Paginator(jobs.defer("log"), 25).get_page(request.GET.get("page"))
    context |= {"page": page, "unfinished": any(not job.is_over for job in page)}
    return render(request, "jobs/_table.html" if request.htmx else "jobs/list.html", context)


@require_safe
def job(request: Any, study: str, job: int) -> HttpResponse:
    """The page of a job; htmx asks for its moving part alone."""
    context = {
        "job": get_object_or_404(jobs_of(request), pk=job),
        "may_run": may(request.user, Can.RUN_MODELS, request.study),
    }
    return render(request, "jobs/_state.html" if request.htmx else "jobs/job.html", context)


@require_POST
def cancel(request: HttpRequest, study: str, job: int) -> HttpResponse:
    return _do(request, job, cancel_job, _("The job was asked to stop."))


@require_POST
def retry(request: HttpRequest, study: str, job: int) -> HttpResponse:
    return _do(request, job, retry_job, _("The job is queued again."))


def _do(request: Any, pk: int, action: Any, done: str) -> HttpResponse:
    with telling(request):
        action(job=get_object_or_404(jobs_of(request), pk=pk))
        messages.success(request, done)
    return redirect("job", study=request.study.slug, job=pk)
