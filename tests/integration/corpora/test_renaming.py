"""Systems and trainings get other names where they stand, unless a frozen plan names them."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns

from accounts.models import AuditEntry
from accounts.permissions import Role
from corpora.actions.rename_system import rename_system
from evaluation.actions.make_report import make_report
from evaluation.models import HumanStudy, Report
from evaluation.report_freshness import report_key
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
RULES, NEURAL, HUMAN = campaigns.SYSTEMS


@pytest.fixture
def study():
    return campaigns.study(items=3, systems=3)


def patch(client, name, pk, study, given):
    address = reverse(name, args=[study.slug, pk])
    return client.patch(address, json.dumps(given), content_type="application/json")


def test_a_system_is_renamed_by_its_page_and_its_report_is_made_again(study):
    make_report(study=study)
    before = report_key(study)
    client = Client()
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    system = study.systems.get(name=RULES)
    page = client.get(reverse("system", args=[study.slug, system.pk])).content.decode()
    assert reverse("api:system-detail", args=[study.slug, system.pk]) in page
    told = patch(client, "api:system-detail", system.pk, study, {"name": "  Rules, second edition "})
    assert told.json()["name"] == "Rules, second edition"
    assert AuditEntry.objects.filter(action="rename_system").exists()
    assert report_key(study) != before
    make_report(study=study)
    assert "Rules, second edition" in json.dumps(Report.objects.get(study=study).content, ensure_ascii=False)


@pytest.mark.parametrize("name", [NEURAL, "", "x" * 101])
def test_a_wrong_name_is_refused_and_changes_nothing(study, name):
    system = study.systems.get(name=RULES)
    with pytest.raises(UserError):
        rename_system(system=system, name=name)
    assert study.systems.filter(name=RULES).exists()


def test_a_frozen_plan_keeps_its_names_and_a_draft_has_the_new_one(study):
    draft = HumanStudy.objects.create(
        study=study, name="Draft", slug="draft", comparison={"baseline": RULES, "systems": [NEURAL]}
    )
    rename_system(system=study.systems.get(name=NEURAL), name="Network")
    draft.refresh_from_db()
    assert draft.comparison == {"baseline": RULES, "systems": ["Network"]}
    HumanStudy.objects.create(
        study=study, name="Frozen", slug="frozen", frozen={"rules": {"systems": [RULES], "others": [HUMAN]}}
    )
    for name in (RULES, HUMAN):
        with pytest.raises(UserError, match="Frozen"):
            rename_system(system=study.systems.get(name=name), name="Another")
    rename_system(system=study.systems.get(name="Network"), name="Net")


def test_a_study_file_finds_a_renamed_system_under_both_names(study):
    study.declared = {f"system {RULES}": "digest"}
    study.save()
    rename_system(system=study.systems.get(name=RULES), name="New")
    study.refresh_from_db()
    assert study.declared == {f"system {RULES}": "digest", "system New": "digest"}
