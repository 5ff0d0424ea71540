"""Rewriters, reviewers and verifiers at once over HTTP while processes are killed with -9: each item goes its whole way
once, nobody meets their own work, and nothing acknowledged is lost."""

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection
from support import campaigns as make
from support.annotators import Annotator, failed, kill_some
from support.processes import wait_until

from accounts.actions.make_token import make_token
from accounts.permissions import Role
from annotation.blinding import Kind, key_of
from annotation.effective_annotations import products
from annotation.models import Answer, Assignment, Item
from annotation.review import unreviewed_answers

# The whole size is 500 items: KILLED_STAGE_ITEMS=500 make soak ARGS=tests/integration/annotation/test_killed_stages.py
PEOPLE, REVIEWERS, REWRITES, CHECKS = 12, 2, 2, 2
ITEMS = int(os.environ.get("KILLED_STAGE_ITEMS", "30"))
KILLS = max(6, ITEMS // 20)


class Worker(Annotator):
    """Works in each campaign in turn until the end; `acknowledged` holds contents by the answer's handle."""

    def __init__(self, urls: list[str], secret: str, name: str, stop: threading.Event) -> None:
        super().__init__("", secret, name, stop)
        self.urls = urls

    def work(self) -> None:
        while not self.stop.is_set():
            for place, url in enumerate(self.urls):
                self.url = url
                claim = self.ask("next/", {})
                while claim["work"] and not self.stop.is_set():
                    content = self.content(place, claim["work"])
                    said = self.hand_in(claim["work"], content)
                    self.acknowledged[said["answer"]] = content
                    claim = said["next"]
            self.stop.wait(0.1)

    def content(self, place: int, work: dict) -> dict:
        if place == 0:
            return {"text": f"{self.name} wrote item {work['number']}."}
        reject = work["number"] % 5 == 0
        return {"verdict": "reject", "reason": "It does not read well"} if reject else {"verdict": "accept"}


class Reviewer(Annotator):
    """Accepts what waits; the first answer to every seventh item goes back into the queue."""

    def review(self, campaign) -> None:
        try:
            while not self.stop.is_set():
                for answer in list(unreviewed_answers(campaign=campaign).select_related("item")[:20]):
                    returned = answer.item.number % 7 == 0 and not Answer.objects.filter(
                        item=answer.item, reviews__verdict="returned"
                    )
                    verdict = "returned" if returned else "accepted"
                    try:
                        self.ask("reviews/", {"answer": answer.pk, "verdict": verdict})
                    except AssertionError as refused:
                        assert b"has all its answers" in refused.args[0]  # noqa: PT017 (the other reviewer returned it)
                self.stop.wait(0.1)
        finally:
            connection.close()


def token(person, scopes):
    return make_token(person=person, name="test", scopes=scopes, days=1)[1]


def settled(check) -> int:
    return Item.objects.filter(campaign=check, withdrawn=False, settled__isnull=False).count()


@pytest.mark.soak
def test_every_item_goes_through_all_stages_once(web_server, celery_workers):
    study = make.study(items=ITEMS)
    first = make.campaign(study, overlap=REWRITES, needs_review=True)
    check = make.campaign(study, "verify", after=first, overlap=CHECKS)
    urls = [f"{web_server.url}/api/studies/{study.slug}/campaigns/{one.slug}/" for one in (first, check)]
    stop = threading.Event()
    people = {}
    for number in range(PEOPLE):
        who = make.person(study=study)
        people[who.pk] = Worker(urls, token(who, ["annotate"]), f"Person {number}", stop)
    lead = [make.person(Role.REVIEWER, study) for _ in range(REVIEWERS)]
    reviewers = [Reviewer(urls[0], token(who, ["write"]), "Reviewer", stop) for who in lead]

    with ThreadPoolExecutor(PEOPLE + REVIEWERS) as pool:
        running = [pool.submit(one.work) for one in people.values()]
        running += [pool.submit(reviewer.review, first) for reviewer in reviewers]
        try:
            random = Random(2)  # noqa: S311
            whole = ITEMS * REWRITES
            for step in range(KILLS):
                enough = step * whole // (KILLS + 2)
                wait_until(
                    lambda least=enough: settled(check) >= least or failed(running), f"{enough} were not settled"
                )
                kill_some(web_server, celery_workers, random, step)
            wait_until(lambda: settled(check) >= whole or failed(running), "The work did not end")
        finally:
            stop.set()
    for one in running:
        one.result()

    items = list(Item.objects.filter(campaign=check, withdrawn=False))
    assert len(items) == ITEMS * REWRITES == len({(item.parent_id, item.part) for item in items})
    hands = Counter(Answer.objects.filter(item__in=items, outcome="answered", late=False).values_list("item", "person"))
    assert set(hands.values()) == {1}
    for item in items:
        checkers = {person for of, person in hands if of == item.pk}
        assert len(checkers) == CHECKS
        assert checkers.isdisjoint(item.people)
    assert not Assignment.objects.filter(campaign=first).exclude(state=Assignment.State.DONE).exists()
    acknowledged = {
        key_of(Kind.ANSWER, named, pk): content
        for pk, one in people.items()
        for named, content in one.acknowledged.items()
    }
    stored = dict(Answer.objects.values_list("pk", "content"))
    assert acknowledged.keys() == stored.keys()
    assert all(content.items() <= stored[key].items() for key, content in acknowledged.items())
    good = [item for item in items if item.number % 5]
    assert sorted(row.item_id for row in products(study)) == sorted(item.pk for item in good)
