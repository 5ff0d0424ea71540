"""Every endpoint of the API, with real things at its address."""

import json
from typing import Any

import pytest
from django.db import transaction
from factories.handles import handle


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    from factories.whole_study import WholeStudy, person

    from accounts.actions.set_credential import set_credential

    with django_db_blocker.unblock(), transaction.atomic():
        admin = person("admin")
        whole = WholeStudy(workers=[admin])
        target = person("reviewer")
        set_credential(person=target, name="md", by=admin)
        yield admin, whole, target
        transaction.set_rollback(True)


def described() -> Any:
    """The description that the site gives of itself: as it keeps it, since to make it takes a second."""
    from config.api.schema import JSON, schema_text

    return json.loads(schema_text(JSON))


def endpoints():
    """(address, method) of every endpoint, from the description that the site gives of itself."""
    return [
        (path, method) for path, methods in described()["paths"].items() for method in methods if method != "parameters"
    ]


def address(path, world):
    """The path with real things in it, so that a request comes further than 404."""
    admin, whole, target = world
    parts = path.strip("/").split("/")
    before = {name: parts[at - 1] for at, name in enumerate(parts)}
    keys = {
        "people": target.pk, "systems": whole.system.pk, "references": whole.references.pk, "jobs": whole.job.pk,
        "members": whole.member.pk, "documents": whole.document.pk, "trainings": whole.training.pk,
        "checkpoints": whole.checkpoint.pk, "transfers": whole.transfer.pk,
        "removed": whole.removal.pk,
        "invitations": whole.invitation.pk if "{study}" in path else 1,
    }  # fmt: skip
    numbers = {
        "releases": whole.release.number,
        "expected": 1,
        "ratings": whole.ratings.number,
        "directions": whole.direction.number,
    }
    answer = whole.answer_of(admin)
    there = {
        "study": whole.study.slug, "campaign": whole.campaign.slug, "human": whole.human.slug,
        "answer": handle("answer", answer.pk, admin), "review": handle("review", whole.review_of(admin).pk, admin),
        "worker": answer.person_id, "entrance": whole.recruitment_link.pk,
        "entrant": whole.participant.pk, "id": keys.get(before.get("{id}"), 1), "key": "a" * 8,
        "webhook": whole.webhook.pk if "{study}" in path else whole.site_delivery.webhook_id,
        "delivery": whole.delivery.pk if "{study}" in path else whole.site_delivery.pk,
        "recruitment": whole.recruitment.pk, "order": whole.order.pk,
        "rater": "5f0c9d3a-0000-4000-8000-000000000000",
        "number": numbers.get(before.get("{number}"), 1),
        "name": {"credentials": "md", "tables": "systems"}.get(before.get("{name}"), "gold.jsonl"),
    }  # fmt: skip
    for name, value in there.items():
        path = path.replace(f"{{{name}}}", str(value))
    return path


def sent(client, method, url, body=None, form=False):
    """The answer, with whatever it changed undone."""
    point = transaction.savepoint()
    try:
        if form:
            return client.post(url, body)
        data = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        return client.generic(method.upper(), url, **data)
    finally:
        transaction.savepoint_rollback(point)
