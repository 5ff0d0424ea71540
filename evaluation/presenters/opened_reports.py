"""Which reports a person has opened since they were made, as far as their session remembers."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.utils import timezone

from evaluation.models import Report

KEY = "opened_reports"
NEW_FOR = timedelta(days=14)


def note_opened(session: Any, report: Report) -> None:
    """Remember that the report was opened as it is now; nothing is written where that is known."""
    opened = session.get(KEY, {})
    made = report.made_at.isoformat()
    if opened.get(str(report.study_id)) != made:
        session[KEY] = {**opened, str(report.study_id): made}


def unread_reports(session: Any, studies: Collection[Any]) -> set[int]:
    """The keys of the studies whose report was made within two weeks and not opened since. One query."""
    opened = session.get(KEY, {})
    made = Report.objects.filter(study__in=studies, made_at__gt=timezone.now() - NEW_FOR)
    return {
        study
        for study, made_at in made.values_list("study", "made_at")
        if opened.get(str(study)) != made_at.isoformat()
    }
