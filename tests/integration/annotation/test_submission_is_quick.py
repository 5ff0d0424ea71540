"""A submission over HTTP stays a handful of statements: see `docs/speed.md`."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support import campaigns as make

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
SCALE = re.compile(r'<input type="radio" name="(rating-[^"]+)" value="([^"]+)"')


def test_handing_in_and_getting_the_next_item_takes_six_statements(client):
    study = make.study(systems=1)
    campaign = make.campaign(study, "rate", overlap=2)
    client.force_login(make.person(study=study))
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    form = dict(HIDDEN.findall(page)) | dict(SCALE.findall(page))
    address = reverse("campaign_submit", args=[study.slug, campaign.slug])
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = client.post(address, form, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert 'name="rating-0-fluency"' in answer.content.decode()
    assert campaign.answers.count() == 1
    statements = [one["sql"] for one in asked if "SAVEPOINT" not in one["sql"]]
    assert len(statements) == 6, statements
