"""What does not change between items is sent once: a page that keeps frames gets the same item in few bytes."""

import re

import pytest
from django.urls import reverse
from support import campaigns as make
from support.framed_items import Frames

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
SCALE = re.compile(r'<input type="radio" name="(rating-[^"]+)" value="([^"]+)"')
KEY = re.compile(r'name="key" value="[^"]*"')  # drawn anew whenever an item is shown
KINDS = {"rewrite": {}, "rate": {"outputs_per_item": 1}, "rank": {}, "best_worst": {}}


@pytest.fixture
def study():
    return make.study(items=4, systems=4, references=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_framed_item_is_the_item(study, client, kind):
    campaign = make.campaign(study, kind, settings=KINDS[kind])
    campaign.items.update(content={**campaign.items.first().content, "source": '<b>"it\'s" & so on</b>'})
    client.force_login(make.person(study=study))
    address = reverse("campaign_work", args=[study.slug, campaign.slug])
    plain = client.get(address, headers={"HX-Request": "true"}).content.decode()
    frames = Frames()
    for is_first in (True, False):
        answer = client.get(address, headers=frames.headers)
        assert answer["Content-Type"] == "application/json"
        assert bool(answer.json()["frames"]) is is_first
        assert KEY.sub("", frames.html(answer)) == KEY.sub("", plain)


def test_the_buttons_and_scales_of_a_rating_are_not_sent_again(study, client):
    campaign = make.campaign(study, "rate", settings=KINDS["rate"])
    client.force_login(make.person(study=study))
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    address, frames, sizes = reverse("campaign_submit", args=[study.slug, campaign.slug]), Frames(), []
    for _ in range(3):
        form = dict(HIDDEN.findall(page)) | dict(SCALE.findall(page)) | {"seconds": "2.5", "left": "500"}
        answer = client.post(address, form, headers=frames.headers)
        page = frames.html(answer)
        sizes.append(len(answer.content))
    assert campaign.answers.count() == 3
    assert sizes[0] > 7_000
    assert max(sizes[1:]) < 1_500


def test_what_is_said_of_few_items_comes_whole(study, client):
    campaign = make.campaign(study, "rate", settings=KINDS["rate"])
    client.force_login(make.person(study=study))
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    address = reverse("campaign_submit", args=[study.slug, campaign.slug])
    refused = client.post(address, dict(HIDDEN.findall(page)), headers=Frames().headers)
    assert refused.status_code == 422
    assert refused["Content-Type"].startswith("text/html")
    assert 'role="alert"' in refused.content.decode()
