"""Two nodes behind a real HAProxy and a real PgBouncer, of which one part after the other dies while people work.

There is no worker at all, of no queue: people who annotate need none.
"""

import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from moto.server import ThreadedMotoServer
from support import campaigns as make
from support.annotators import Annotator
from support.folders import data_folder
from support.own_site import Site
from support.pgbouncer import pgbouncer
from support.processes import WebServer, free_port, last_lines, wait_until

from accounts.actions.make_token import make_token
from accounts.models import ApiToken
from annotation.models import Answer
from embedded.folders import ready_url_folder
from embedded.redis_server import redis_url
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
    with haproxy(nodes, tmp_path) as url:
        yield url


@contextmanager
def haproxy(nodes, tmp_path):
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
    try:
        wait_until(lambda: process.poll() is not None or _answers(url), "HAProxy did not answer")
        assert process.poll() is None, "HAProxy ended"
        yield url
    finally:
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


class Bucket:
    """A server of S3's language that can go and come back under one address."""

    def __init__(self):
        self.port = free_port()
        self.start()

    def start(self):
        self._server = ThreadedMotoServer(port=self.port, verbose=False)
        self._server.start()

    def stop(self):
        self._server.stop()


@pytest.fixture
def own_servers(tmp_path, monkeypatch):
    """A site with PostgreSQL and Redis of its own, two nodes of it behind PgBouncer and HAProxy, and its bucket."""
    with data_folder("two-nodes") as folder:
        own, bucket = Site(folder), Bucket()
        try:
            own.start()
            monkeypatch.setenv("DATABASE_URL", own.database)
            name = psycopg.conninfo.conninfo_to_dict(own.database)["dbname"]
            with pgbouncer(own.launcher.data, name) as pooler:
                there = {
                    **own.environment, "DATABASE_URL": pooler.url, "RESTYLE_STATIC": str(settings.DATA / "static"),
                    "REDIS_URL": redis_url(ready_url_folder(own.launcher.data)),
                    "RESTYLE_STORAGE": "s3://models/site", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{bucket.port}",
                    "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
                }  # fmt: skip
                nodes = [WebServer(settings.DATA, there, f"-own{number}") for number in (1, 2)]
                try:
                    for node in nodes:
                        node.ensure_up()
                    with haproxy(nodes, tmp_path) as url:
                        yield own, bucket, nodes, url
                finally:
                    for node in nodes:
                        node.stop()
        finally:
            own.end()
            bucket.stop()


@pytest.mark.soak
@pytest.mark.workers
def test_nobody_waits_long_once_a_server_is_back(own_servers):
    """PostgreSQL, Redis and S3 end in turn, and each comes back: then everybody has their answer within 5 seconds."""
    own, bucket, nodes, url = own_servers
    prepared, stop = own.script("work"), threading.Event()
    people = {
        key: BehindProxy(url + prepared["campaign"], secret, f"P{key}", stop) for key, _, secret in prepared["people"]
    }

    def answers():
        return own.ask(lambda database: database.execute("SELECT 1").fetchone()) is not None

    def kill(name):
        own.launcher.kill_server(name)
        wait_until(answers, "PostgreSQL did not answer")

    def without_bucket():
        bucket.stop()
        get_on("while S3 is away")
        bucket.start()

    def get_on(when):
        """Everybody has two more answers acknowledged: the first may have been under way."""
        began, enough = time.monotonic(), {key: len(one.acknowledged) + 2 for key, one in people.items()}

        def is_on():
            return any(one.done() for one in running) or all(
                len(people[key].acknowledged) >= enough[key] for key in people
            )

        wait_until(is_on, f"Not everybody gets on {when}")
        ended = [one.exception() for one in running if one.done()]
        assert not ended, f"{when}: {ended}\n{''.join(last_lines(one.children['web'].log, 60) for one in nodes)}"
        waits[when] = time.monotonic() - began

    waits = {}
    with ThreadPoolExecutor(len(people)) as pool:
        running = [pool.submit(person.work) for person in people.values()]
        try:
            get_on("at first")
            kill("postgres")
            get_on("after PostgreSQL")
            kill("redis-server")
            get_on("after Redis")
            without_bucket()
            get_on("after S3")
        finally:
            stop.set()
        for one in running:
            one.result()
    assert max(waits.values()) <= MOST_SECONDS, waits
    assert own.script("lost", {key: one.acknowledged for key, one in people.items()}) == [[], 0]
