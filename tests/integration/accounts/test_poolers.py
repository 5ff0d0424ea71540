"""A site behind a real PgBouncer that pools by transactions: found by itself, and nothing leans on a session."""

import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse
from support import campaigns as make
from support.annotators import Annotator
from support.clients import as_person
from support.pgbouncer import pgbouncer
from support.processes import WebServer

from accounts.actions.make_token import make_token
from accounts.models import ApiToken
from accounts.permissions import Role
from annotation.models import Answer
from corpora.models import Removal
from foundation.project import ROOT

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE, ITEMS = 4, 30
STUDY = ("study", "study_campaigns", "study_gold", "study_export", "study_answers_file", "api:study-contents")
CAMPAIGN = ("campaign", "campaign_answers_file", "campaign_ledger_file", "api:campaign-progress")


@pytest.fixture
def pooled(request):
    """The environment of processes behind PgBouncer."""
    environment = request.getfixturevalue("_processes_environment")
    with pgbouncer(settings.DATA, connection.settings_dict["NAME"]) as pooler:
        yield {**environment, "DATABASE_URL": pooler.url}


@pytest.fixture
def site(pooled):
    server = WebServer(settings.DATA, pooled, "-pooled")
    server.ensure_up()
    yield server
    server.stop()


def manage(environment, *line):
    done = subprocess.run(
        [sys.executable, "manage.py", *line], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def token(person):
    return make_token(person=person, name="t", scopes=ApiToken.Scope.values, days=1)[1]


def ask(url, method="GET", **headers):
    request = urllib.request.Request(url, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_people_work_and_read_without_an_error(site):
    study = make.study(ITEMS, systems=2)
    campaign = make.campaign(study, overlap=PEOPLE)
    admin, people, stop = make.person(Role.ADMIN), [make.person(study=study) for _ in range(PEOPLE)], threading.Event()
    base = f"{site.url}/api/studies/{study.slug}/campaigns/{campaign.slug}/"
    working = [Annotator(base, token(one), one.email, stop) for one in people]
    cookie = f"sessionid={as_person(admin).cookies['sessionid'].value}"
    paths = ["/", "/work/", "/health/", "/health/ready", *(reverse(name, args=[study.slug]) for name in STUDY)]
    paths += [reverse(name, args=[study.slug, campaign.slug]) for name in CAMPAIGN]
    with ThreadPoolExecutor(8) as pool:
        works = [pool.submit(one.work) for one in working]
        read = [pool.submit(ask, site.url + path, Cookie=cookie) for path in paths * 3]
        bad = {path: one.result()[0] for path, one in zip(paths * 3, read, strict=True) if one.result()[0] != 200}
        for work in works:
            work.result()
    assert not bad
    assert Answer.objects.filter(assignment__item__campaign=campaign).count() == PEOPLE * ITEMS
    status, said = ask(site.url + reverse("campaign_answers_file", args=[study.slug, campaign.slug]), Cookie=cookie)
    assert (status, len(said.splitlines())) == (200, PEOPLE * ITEMS)


def test_what_is_removed_comes_back(site):
    """Rows go into temporary tables and through COPY on the way."""
    study = make.study(systems=1)
    (system,), key = study.systems.all(), {"Authorization": f"Token {token(make.person(Role.ADMIN))}"}
    outputs = system.outputs.count()
    assert ask(f"{site.url}{reverse('api:system-detail', args=[study.slug, system.pk])}", "DELETE", **key)[0] < 300
    assert not study.systems.exists()
    undo = reverse("api:removal-undo", args=[study.slug, Removal.objects.get(study=study).pk])
    assert ask(f"{site.url}{undo}", "POST", **key)[0] < 300
    assert study.systems.get().outputs.count() == outputs


def test_commands_work_and_a_backup_asks_for_the_server_itself(pooled, tmp_path):
    assert manage(pooled, "migrate", "--verbosity", "0")[0] == 0
    make.study()
    status, said = manage(pooled, "backup", str(tmp_path / "site.zip"))
    assert (status, said.count("\n")) == (1, 1)
    assert "A pooler such as PgBouncer answers in place of PostgreSQL" in said
    assert not (tmp_path / "site.zip").exists()
    server = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    direct = {**pooled, "RESTYLE_DIRECT_DATABASE_URL": server}
    assert manage(direct, "backup", str(tmp_path / "site.zip"))[0] == 0
    assert (tmp_path / "site.zip").stat().st_size > 10_000
