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
from support.annotators import Annotator
from support.pgbouncer import pgbouncer
from support.processes import WebServer, free_port, wait_until

from accounts.actions.make_token import make_token
from accounts.models import ApiToken
from annotation.models import Answer
from foundation.project import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PEOPLE, ITEMS, AT_EACH = 4, 2000, 5  # answers of each person behind each fault
MOST_SECONDS = 30.0  # HAProxy waits 60 for a node of which it does not know that it is down


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


def answers_of(node):
    """How many requests with an answer its log names."""
    return node.children["web"].log.read_text().count("/answers/ 200 ")


def test_nothing_is_lost_and_nobody_waits_long(site, nodes, pooler):
    study = make.study(ITEMS)
    campaign, stop = make.campaign(study, overlap=PEOPLE), threading.Event()
    url = f"{site}/api/studies/{study.slug}/campaigns/{campaign.slug}/"
    people = {}
    for number in range(PEOPLE):
        person = make.person(study=study)
        secret = make_token(person=person, name="t", scopes=ApiToken.Scope.values, days=1)[1]
        people[number] = BehindProxy(url, secret, f"P{number}", stop)

    with ThreadPoolExecutor(PEOPLE) as pool:
        running = [pool.submit(person.work) for person in people.values()]

        def wait(true, what):
            wait_until(lambda: true() or any(one.done() for one in running), what)

        def everybody_gets_on(where):
            wanted = {name: len(person.acknowledged) + AT_EACH for name, person in people.items()}
            wait(
                lambda: all(len(people[name].acknowledged) >= count for name, count in wanted.items()),
                lambda: f"{where}, not everybody gets on: {[len(one.acknowledged) for one in people.values()]}",
            )

        try:
            everybody_gets_on("At the beginning")
            for node in nodes:
                node.kill("web")
                everybody_gets_on("While a node is down")
                before = answers_of(node)
                node.ensure_up()
                wait(
                    lambda node=node, before=before: answers_of(node) > before, "HAProxy leaves out a node that is back"
                )
            pooler.kill()
            pooler.start()
            everybody_gets_on("Behind the pooler's restart")
        finally:
            stop.set()
        for each in running:
            each.result()
    acknowledged = sum(len(person.acknowledged) for person in people.values())
    assert Answer.objects.filter(campaign=campaign).count() >= acknowledged >= AT_EACH * PEOPLE * 4
    texts = set(Answer.objects.filter(campaign=campaign).values_list("content__text", flat=True))
    assert max(person.longest for person in people.values()) <= MOST_SECONDS
    assert {text for person in people.values() for text in person.acknowledged.values()} <= texts
