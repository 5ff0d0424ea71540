"""What the clock clears up: sessions that have expired, tables that nobody brought in."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone
from support import campaigns as make

from config.tasks import clear_sessions
from corpora.models import Upload
from corpora.tasks import purge_removed

pytestmark = pytest.mark.django_db


def test_the_clock_clears_sessions_and_removals():
    tasks = {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"config.tasks.clear_sessions", "corpora.tasks.purge_removed"} <= tasks


def test_expired_sessions_are_removed():
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(days=days))
    clear_sessions()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]


def test_tables_that_were_left_alone_go_also_where_nobody_imports_any_more():
    study = make.study()
    for name, hours in (("old", 25), ("new", 23)):
        made = Upload.objects.create(study=study, name=name, target="texts")
        Upload.objects.filter(pk=made.pk).update(changed_at=timezone.now() - timedelta(hours=hours))
    Upload.objects.create(study=study, name="documents")  # of another kind, with a job of its own
    purge_removed()
    assert set(Upload.objects.values_list("name", flat=True)) == {"new", "documents"}
