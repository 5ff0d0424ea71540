"""The jobs that a request asks for."""

from typing import Any

from jobs.models import Job


def jobs_of(request: Any) -> Any:
    """The jobs of the study at hand, newest first."""
    return Job.objects.filter(study_slug=request.study.slug).select_related("made_by").order_by("-pk")
