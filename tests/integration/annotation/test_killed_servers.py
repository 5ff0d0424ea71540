"""Many people at once over HTTP while processes are killed with -9: nobody is doubled, nothing acknowledged is lost."""

import http.client
import json
import os
import signal
import threading
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from uuid import uuid4

import pytest
from support import campaigns as make
from support.processes import wait_until

from accounts.actions.make_token import make_token
from annotation.models import Answer, Slot

# The whole size is 2,000 items: KILLED_ITEMS=2000 make test ARGS=tests/integration/annotation/test_killed_servers.py
PEOPLE, OVERLAP = 32, 3
ITEMS = int(os.environ.get("KILLED_ITEMS", "100"))
KILLS = max(6, ITEMS // 50)


class Annotator:
    """One person with a token, who asks again, with the same key, until an answer is acknowledged."""

    def __init__(self, url: str, secret: str, name: str, stop: threading.Event) -> None:
        self.url, self.secret, self.name, self.stop = url, secret, name, stop
        self.acknowledged: dict[int, str] = {}
        self.reason = ""

    def work(self) -> None:
        claim = self._ask("next/", {})
        while not self.stop.is_set():
            if claim["work"] is None:
                self.reason = claim["reason"]
                if self.reason in {"finished", "yours_done"}:
                    return
                claim = self._ask("next/", {})
                continue
            claim = self._submit(claim["work"])

    def _submit(self, work: dict) -> dict:
        text = f"{self.name} wrote item {work['number']}."
        answer = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "content": {"text": text}}
        said = self._ask("answers/", answer)
        assert said["late"] is False
        self.acknowledged[said["answer"]] = text
        return said["next"]

    def _ask(self, act: str, body: dict) -> dict:
        headers = {"Authorization": f"Token {self.secret}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + act, json.dumps(body).encode(), headers)
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise AssertionError(error.read()) from error
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                pass  # the server was killed under us, before its answer or in the middle of it: ask again
            self.stop.wait(0.05)


def kill_some(web_server, celery_workers, random: Random, step: int) -> None:
    """One of the web server's workers; now and then all of the web server, or the Celery worker."""
    if step % 3 == 2:
        web_server.kill("web")
        web_server.ensure_up()
    elif step % 3 == 1:
        celery_workers.kill("worker")
        celery_workers.children["worker"].start()
    else:
        pids = web_server.pids("web")
        if pids:
            os.kill(random.choice(pids), signal.SIGKILL)


def reached(people, enough: int, running) -> bool:
    """Whether so many answers are acknowledged, or somebody gave up."""
    return sum(len(one.acknowledged) for one in people.values()) >= enough or any(one.done() for one in running)


def failed(running) -> bool:
    """Whether somebody's thread ended in an error; what they held would keep the others waiting."""
    return any(one.done() and one.exception() for one in running)


def test_every_item_has_three_answers_by_three_people_and_no_acknowledged_one_is_lost(web_server, celery_workers):
    study = make.study(items=ITEMS)
    campaign = make.campaign(study, overlap=OVERLAP)
    url = f"{web_server.url}/api/studies/{study.slug}/campaigns/{campaign.slug}/"
    stop = threading.Event()
    people = {}
    for number in range(PEOPLE):
        who = make.person(study=study)
        _, secret = make_token(person=who, name="test", scopes=["annotate"], days=1)
        people[who.pk] = Annotator(url, secret, f"Person {number}", stop)

    with ThreadPoolExecutor(PEOPLE) as pool:
        running = [pool.submit(one.work) for one in people.values()]
        try:
            random = Random(1)  # noqa: S311
            for step in range(KILLS):
                enough = (step + 1) * ITEMS * OVERLAP // (KILLS + 2)
                wait_until(partial(reached, people, enough, running), f"{enough} answers were not there")
                kill_some(web_server, celery_workers, random, step)
            wait_until(lambda: all(one.done() for one in running) or failed(running), "The work did not end")
        finally:
            stop.set()
    for one in running:
        one.result()

    answers = Answer.objects.filter(campaign=campaign)
    by_item = defaultdict(list)
    for item, person in answers.values_list("item", "person"):
        by_item[item].append(person)
    assert len(by_item) == ITEMS
    assert all(len(found) == OVERLAP == len(set(found)) for found in by_item.values()), Counter(
        map(len, by_item.values())
    )
    assert not Slot.objects.filter(campaign=campaign).exclude(state=Slot.State.DONE).exists()
    stored = dict(answers.values_list("pk", "content__text"))
    acknowledged = {key: text for one in people.values() for key, text in one.acknowledged.items()}
    assert acknowledged == stored
    assert {one.reason for one in people.values()} <= {"finished", "yours_done"}


@pytest.mark.django_db(transaction=True)
def test_threads_on_one_seat_get_one_lease():
    """Many tabs of one person, all at once: one slot, and no error."""
    from django.db import connection

    campaign = make.campaign(make.study(items=8), overlap=2)
    who = make.person(study=campaign.study)

    def claim() -> int:
        try:
            return make.held(campaign, who).slot
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        slots = {one.result() for one in [pool.submit(claim) for _ in range(24)]}
    assert len(slots) == 1
    assert Slot.objects.filter(state=Slot.State.LEASED).count() == 1
