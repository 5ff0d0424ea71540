"""Many people at once over HTTP while processes are killed with -9: nobody is doubled, nothing acknowledged is lost."""

import os
import threading
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import pytest
from support import campaigns as make
from support.annotators import Annotator, failed, kill_some, reached
from support.processes import wait_until

from accounts.actions.make_token import make_token
from annotation.blinding import Kind, key_of
from annotation.models import Answer, Assignment

# The whole size is 2,000 items: KILLED_ITEMS=2000 make soak ARGS=tests/integration/annotation/test_killed_servers.py
OVERLAP = 3
ITEMS = int(os.environ.get("KILLED_ITEMS", "100"))


@pytest.mark.parametrize(
    ("items", "persons", "kills"),
    [(20, 6, 3), pytest.param(ITEMS, 32, max(6, ITEMS // 50), marks=pytest.mark.soak)],
)
def test_every_item_has_three_answers_by_three_people_and_no_acknowledged_one_is_lost(
    web_server, celery_workers, items, persons, kills
):
    study = make.study(items=items)
    campaign = make.campaign(study, overlap=OVERLAP)
    url = f"{web_server.url}/api/studies/{study.slug}/campaigns/{campaign.slug}/"
    stop = threading.Event()
    people = {}
    for number in range(persons):
        who = make.person(study=study)
        _, secret = make_token(person=who, name="test", scopes=["annotate"], days=1)
        people[who.pk] = Annotator(url, secret, f"Person {number}", stop)

    with ThreadPoolExecutor(persons) as pool:
        running = [pool.submit(one.work) for one in people.values()]
        try:
            random = Random(1)  # noqa: S311
            for step in range(kills):
                enough = (step + 1) * items * OVERLAP // (kills + 2)
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
    assert len(by_item) == items
    assert all(len(found) == OVERLAP == len(set(found)) for found in by_item.values()), Counter(
        map(len, by_item.values())
    )
    assert not Assignment.objects.filter(campaign=campaign).exclude(state=Assignment.State.DONE).exists()
    stored = dict(answers.values_list("pk", "content__text"))
    acknowledged = {
        key_of(Kind.ANSWER, named, pk): text for pk, one in people.items() for named, text in one.acknowledged.items()
    }
    assert acknowledged == stored
    assert {one.reason for one in people.values()} <= {"finished", "yours_done"}


@pytest.mark.django_db(transaction=True)
def test_threads_of_one_membership_get_one_lease():
    """Many tabs of one person, all at once: one assignment, and no error."""
    from django.db import connection

    campaign = make.campaign(make.study(items=8), overlap=2)
    who = make.person(study=campaign.study)

    def claim() -> int:
        try:
            return make.held(campaign, who).assignment
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assignments = {one.result() for one in [pool.submit(claim) for _ in range(24)]}
    assert len(assignments) == 1
    assert Assignment.objects.filter(state=Assignment.State.LEASED).count() == 1
