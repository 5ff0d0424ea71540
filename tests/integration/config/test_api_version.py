"""The API says its version, understands clients of the release before, and tells others so."""

import json

import pytest
from django.test import Client
from support import campaigns as make
from support.clients import with_token

from accounts.permissions import Role
from annotation.models import Answer
from config.api.schema import JSON, schema_text
from config.api.shape import HEADER, HERE, UNDERSTOOD
from foundation.project import ROOT, version

pytestmark = pytest.mark.django_db
RELEASES = {"d34b7ea": "0.1"}
"""By the name of each schema in tests/golden/api its version."""


def test_each_answer_and_the_schema_say_the_version():
    client = Client()
    for path in ("/api/studies/", "/api/no/such/", "/api/schema/"):
        assert client.get(path)[HEADER] == HERE, path
    assert HEADER not in client.get("/accounts/login/")
    assert json.loads(schema_text(JSON))["info"]["version"] == version()
    assert HEADER in json.loads(schema_text(JSON))["info"]["description"]


def test_each_release_whose_schema_is_kept_is_understood():
    kept = {path.name.partition(".")[0] for path in (ROOT / "tests/golden/api").iterdir()}
    assert {RELEASES[name] for name in kept} | {HERE} == set(UNDERSTOOD)
    assert UNDERSTOOD[-1] == HERE


@pytest.mark.parametrize("named", ["0.1", "0.1.0", "0.2", ""])
def test_a_client_of_a_version_that_is_understood_works(named):
    study = make.study(items=1)
    campaign, who = make.campaign(study), make.person(Role.CROWD_ANNOTATOR, study)
    client, at = with_token(who), f"/api/studies/{study.slug}/campaigns/{campaign.slug}/"
    headers = {HEADER: named} if named else {}
    work = client.post(f"{at}next/", headers=headers).json()["work"]
    sent = {"slot": work["slot"], "lease": work["lease"], "key": "0f8fad5b-d9cb-469f-a165-70867728950e"}
    answer = client.post(
        f"{at}answers/", {**sent, "content": {"text": "I have to."}}, "application/json", headers=headers
    )
    assert (answer.status_code, answer[HEADER]) == (200, HERE), answer.content
    assert Answer.objects.get().content == {"text": "I have to."}


@pytest.mark.parametrize("named", ["0.3", "1", "latest", "0.1, 0.2", "x" * 5000])
def test_a_client_of_another_version_is_told_so_and_changes_nothing(named):
    study = make.study(items=1)
    client = with_token(make.person(Role.RESEARCHER, study))
    answer = client.patch(
        f"/api/studies/{study.slug}/", {"title": "Other"}, "application/json", headers={HEADER: named}
    )
    assert answer.status_code == 400
    said = answer.json()["detail"]
    assert said.startswith("Restyle-Version: this API understands 0.1, 0.2, and the client asks for")
    assert len(said) < 200
    study.refresh_from_db()
    assert study.title != "Other"
