"""Two nodes behind a real HAProxy and a real PgBouncer, of which one part after the other dies while people work.

There is no worker at all, of no queue: people who annotate need none.
"""

import re
import shutil
import signal
import subprocess
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.conf import settings
from django.db import connection
from support import campaigns as make
from support.annotators import Annotator, reached
from support.pgbouncer import pgbouncer
from support.processes import WebServer, free_port, wait_until

from accounts.actions.make_token import make_token
from accounts.models import ApiToken
from annotation.models import Answer
from foundation.project import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PEOPLE, ITEMS, AT_EACH = 4, 2000, 20
MOST_SECONDS = 5.0


class BehindProxy(Annotator):
    again = frozenset({502, 503, 504})


@pytest.fixture
def pooler(embedded_servers, db_name):
    with pgbouncer(settings.DATA, db_name) as pooler:
        yield pooler


@pytest.fixture
def db_name(transactional_db):
    return connection.settings_dict["NAME"]


@pytest.fixture
def nodes(request, pooler):
    environment = {**request.getfixturevalue("_processes_environment"), "DATABASE_URL": pooler.url}
    found = [WebServer(settings.DATA, environment, f"-node{number}") for number in (1, 2)]
    for node in found:
        node.ensure_up()
    yield found
    for node in found:
        node.stop()


@pytest.fixture
def site(nodes, tmp_path):
    """The address of HAProxy, with the configuration that is shipped."""
    program, port = shutil.which("haproxy"), free_port()
    if program is None:
        pytest.skip("no haproxy is installed here")
    text = (ROOT / "docs/deploy/haproxy.cfg").read_text().replace("bind :80", f"bind 127.0.0.1:{port}")
    for name, node in zip(("one", "two"), nodes, strict=True):
        text = re.sub(rf"(server {name}) \S+", rf"\1 127.0.0.1:{node.port}", text)
    (tmp_path / "haproxy.cfg").write_text(text)
    process = subprocess.Popen([program, "-f", str(tmp_path / "haproxy.cfg")])
    url = f"http://127.0.0.1:{port}"
    wait_until(lambda: process.poll() is not None or _answers(url), "HAProxy did not answer")
    assert process.poll() is None, "HAProxy ended"
    yield url
    process.send_signal(signal.SIGTERM)
    process.wait()


def _answers(url):
    with suppress(OSError), urllib.request.urlopen(f"{url}/accounts/login/") as answer:
        return answer.status == 200
    return False


def test_nothing_is_lost_and_nobody_waits_long(site, nodes, pooler):
    study = make.study(ITEMS)
    campaign, stop = make.campaign(study, overlap=PEOPLE), threading.Event()
    url = f"{site}/api/studies/{study.slug}/campaigns/{campaign.slug}/"
    people = {}
    for number in range(PEOPLE):
        person = make.person(study=study)
        secret = make_token(person=person, name="t", scopes=ApiToken.Scope.values, days=1)[1]
        people[number] = BehindProxy(url, secret, f"P{number}", stop)
    one, two = nodes

    def kill_pooler():
        pooler.kill()
        pooler.start()

    faults = [lambda: one.kill("web"), one.ensure_up, lambda: two.kill("web"), two.ensure_up, kill_pooler]
    with ThreadPoolExecutor(PEOPLE) as pool:
        running = [pool.submit(person.work) for person in people.values()]
        try:
            for number, fault in enumerate(faults, 1):
                wait_until(lambda enough=AT_EACH * number: reached(people, enough, running), "Nobody gets on")
                fault()
            last = AT_EACH * (len(faults) + 1)
            wait_until(lambda: reached(people, last, running), "Nobody gets on after the last fault")
        finally:
            stop.set()
        for each in running:
            each.result()
    acknowledged = sum(len(person.acknowledged) for person in people.values())
    assert Answer.objects.filter(campaign=campaign).count() >= acknowledged >= AT_EACH * (len(faults) + 1)
    texts = set(Answer.objects.filter(campaign=campaign).values_list("content__text", flat=True))
    assert {text for person in people.values() for text in person.acknowledged.values()} <= texts
    assert max(person.longest for person in people.values()) <= MOST_SECONDS
