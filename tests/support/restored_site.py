"""Run in a process of its own on a restored site: what is there and what it does, as JSON."""

import hashlib
import json
import sys
from contextlib import suppress

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.files.storage import default_storage  # noqa: E402
from django.db import DatabaseError, connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from accounts.authentication import require_site_key  # noqa: E402
from annotation.gold.release.downloads import broken_files  # noqa: E402
from annotation.models import Answer, Release  # noqa: E402
from corpora.actions.create_study import create_study  # noqa: E402
from corpora.models import Study  # noqa: E402
from evaluation.actions.make_report import make_report  # noqa: E402
from evaluation.models import Report  # noqa: E402
from modelserving.models import Checkpoint  # noqa: E402


def changed(release):
    with suppress(DatabaseError), transaction.atomic():
        return Release.objects.filter(pk=release.pk).update(datasheet="Forged.")
    return 0


def digest(name):
    with default_storage.open(name, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def main(email, password, slug, large):
    require_site_key()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_session")
        sessions = cursor.fetchone()[0]
    client = Client(headers={"host": "localhost"})
    client.post(reverse("account_login"), {"login": email, "password": password})
    stored = Report.objects.get(study__slug=slug)
    content = stored.content
    stored.delete()
    release = Release.objects.get(study__slug=slug)
    with connection.cursor() as cursor:
        cursor.execute("SELECT lo_get(%s)", [int(large)])
        kept = bytes(cursor.fetchone()[0]).decode()
    return {
        "answers": list(Answer.objects.values_list("content__text", flat=True)),
        "signed_in": client.get("/api/studies/").status_code,
        "report_is_equal": make_report(study=Study.objects.get(slug=slug)).content == content,
        "broken": broken_files(release),
        "release_changed": changed(release),
        "checkpoints": [digest(checkpoint.file.name) == checkpoint.sha256 for checkpoint in Checkpoint.objects.all()],
        "new_study": create_study(slug="afterwards", title="Afterwards", styles=["a", "b"]).pk,
        "key": settings.SECRET_KEY,
        "sessions": sessions,
        "large": kept,
    }


print(json.dumps(main(*sys.argv[1:])))  # noqa: T201
