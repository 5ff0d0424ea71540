"""The quality checks where a campaign is edited."""

import pytest
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from annotation.forms.campaign import ChecksForm
from annotation.quality import CHECKS

pytestmark = pytest.mark.django_db


def filled(**changes):
    form = ChecksForm(None)
    given = {f"checks-{name}": field.initial for name, field in form.fields.items()}
    shown = {key: value for key, value in given.items() if value is not False}
    return {**shown, **changes}


def test_what_is_as_its_default_is_not_stored():
    form = ChecksForm(filled())
    assert form.is_valid(), form.errors
    assert form.values() == {}


def test_a_check_is_switched_off_or_changed():
    given = filled(**{"checks-speed-most": "0.5"})
    del given["checks-copied_source-on"]
    form = ChecksForm(given)
    assert form.is_valid()
    assert form.values() == {"copied_source": False, "speed": {**CHECKS["speed"].defaults, "most": 0.5}}
    again = ChecksForm(None, stored=form.values())
    assert again["copied_source-on"].initial is False
    assert again["speed-most"].initial == 0.5


def test_a_threshold_that_cannot_be_stands_beside_its_field():
    form = ChecksForm(filled(**{"checks-control_items-least_score": "7"}))
    assert not form.is_valid()
    assert "from 0 to 1" in form.errors["control_items-least_score"][0]


def test_a_page_without_the_checks_leaves_them_as_they_were():
    stored = {"speed": False}
    form = ChecksForm({"name": "x"}, stored=stored)
    assert form.values(stored) == stored


def test_the_edit_page_shows_them():
    study = make.study()
    campaign = make.campaign(study, checks={"speed": False})
    client = as_person(make.person(Role.RESEARCHER, study))
    shown = client.get(reverse("campaign_edit", args=[study.slug, campaign.slug])).content.decode()
    for check in CHECKS.values():
        assert check.label in shown
