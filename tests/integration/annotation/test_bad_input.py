"""What nobody should send: each is one clear sentence, never an error of the program, and changes nothing."""

import json
from uuid import uuid4

import pytest
from factories.handles import handle
from support import campaigns as make
from support import stage_items

from accounts.actions.make_token import make_token
from accounts.permissions import Role
from annotation.models import Answer, Campaign, ReleaseRun

pytestmark = pytest.mark.django_db
DEEP = "[" * 50_000 + "]" * 50_000
ODD = [None, True, -1, 1.5, 10**40, "", "x", "\x00", [], [[]], [None], ["\x00"], {}, {"a": {}}, {"\x00": 1}]


@pytest.fixture
def study():
    return make.study(items=3, systems=2)


@pytest.fixture
def send(study, client):
    """Send JSON, or bytes as they are, as a researcher of the study; the answer's status and sentence."""
    who = make.person(Role.RESEARCHER, study)
    _, secret = make_token(person=who, name="t", scopes=["read", "write", "annotate"], days=1)

    def act(path, body, method="post"):
        client.raise_request_exception = False
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Authorization": f"Token {secret}"}
        url = f"/api/studies/{study.slug}/{path}"
        return client.generic(method.upper(), url, body, content_type="application/json", headers=headers)

    return act


@pytest.mark.parametrize(
    "field",
    ["eligibility", "checks", "pay", "settings", "roles", "splits", "reasons", "after", "takes", "purpose", "overlap"],
)
def test_a_campaign_is_refused_with_a_sentence(send, study, field):
    before = Campaign.objects.count()
    for value in ODD:
        said = send("campaigns/", {"name": "Write", "task_type": "rewrite", field: value})
        assert said.status_code in (201, 400), (value, said.content)
        if said.status_code == 201:
            before += 1
            assert send(f"campaigns/{said.json()['slug']}/", {}, "get").status_code == 200
    assert Campaign.objects.count() == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(
            ("eligibility", {"qualification": one})
            for one in ({"campaign": "\x00"}, {"campaign": "q", "pass_mark": "1"}, 5)
        ),
        *(("eligibility", {"credentials": one}) for one in (["\x00"], [1], "md", {"a": 1})),
        *(("eligibility", {"quota": one}) for one in (-1, 1.5, True, "3", 10**30)),
        ("eligibility", {"\x00": 1}),
        ("eligibility", {"no_such_rule": 1}),
        ("checks", {"no_such_check": {}}),
        ("checks", {"speed": 5}),
        ("checks", {"speed": {"no_such_setting": 1}}),
        ("pay", {"currency": "\x00"}),
        ("pay", {"item": -1}),
        ("pay", {"item": "0.2"}),
        ("pay", {"hour": 10**9}),
        ("pay", {"month": 1}),
    ],
)
def test_rules_of_a_wrong_kind_are_named_and_kept_nowhere(send, study, field, value):
    campaign = make.campaign(study, state="draft")
    said = send(f"campaigns/{campaign.slug}/", {field: value}, "patch")
    assert said.status_code == 400
    assert len(said.json()["detail"]) > 10
    campaign.refresh_from_db()
    assert getattr(campaign, field) == {}


@pytest.mark.parametrize(
    "body", [b'{"pay": {"item": NaN}}', b'{"pay": {"item": Infinity}}', b'{"eligibility": ' + b"[" * 50_000]
)
def test_what_is_no_json_changes_no_campaign(send, study, body):
    campaign = make.campaign(study, state="draft")
    assert send(f"campaigns/{campaign.slug}/", body, "patch").status_code == 400


@pytest.mark.parametrize("key", ["campaigns", "forms", "unreviewed", "alone", "from", "strange"])
def test_a_release_is_asked_for_in_names(send, study, key):
    for value in ODD:
        said = send("releases/", {"settings": {key: value}})
        assert said.status_code in (202, 400), (value, said.content)
        ReleaseRun.objects.all().delete()


KINDS = {
    "rewrite": {"source": "gotta go"},
    "align": stage_items.group(),
    "verify": stage_items.rewrite_to_check(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_of_any_shape_is_refused_or_kept(send, study, kind):
    campaign = stage_items.campaign_of(study, kind, [KINDS[kind]])
    work = send(f"campaigns/{campaign.slug}/next/", {}).json()["work"]
    held = {"slot": work["slot"], "lease": work["lease"]}
    for value in ODD:
        for key in ("text", "pairs", "none", "note", "verdict", "reason", "answer"):
            content = {"verdict": "redo", key: value}
            said = send(f"campaigns/{campaign.slug}/answers/", {**held, "key": str(uuid4()), "content": content})
            assert said.status_code in (200, 400), (content, said.content)
    half = b'{"slot": "%s", "lease": "%s", "key": "%s", "content": {"text": "\\ud800", "note": "\\ud800"}}'
    said = send(
        f"campaigns/{campaign.slug}/answers/",
        half % tuple(text.encode() for text in (work["slot"], work["lease"], str(uuid4()))),
    )
    assert said.status_code == 400


@pytest.mark.parametrize("kind", ["rewrite", "align", "verify"])
@pytest.mark.parametrize(
    "work", [DEEP, '{"a":' * 20_000, "null", "[]", '{"pairs": [[' + "9" * 6000 + "]]}", "\x00", "{"]
)
def test_an_editors_field_of_any_shape_is_refused_on_the_page(client, study, kind, work):
    client.raise_request_exception = False
    campaign = stage_items.campaign_of(study, kind, [KINDS[kind]])
    who = make.person(study=study)
    client.force_login(who)
    mine = make.held(campaign, who)
    held = {"slot": handle("slot", mine.assignment, who), "lease": str(mine.lease), "key": str(uuid4())}
    form = {**held, "work": work, "verify-verdict": "redo"}
    base = f"/studies/{study.slug}/campaigns/{campaign.slug}/work/"
    assert client.post(base + "submit/", form).status_code == 422
    saved = client.post(base + "draft/", {**form, "version": "1", "text": "\x00 half"})
    assert saved.status_code == 200, saved.content
    assert client.get(base).status_code == 200
    assert not Answer.objects.exists()


def test_an_address_with_what_no_database_keeps_finds_nothing(client, study):
    client.raise_request_exception = False
    client.force_login(make.person(Role.RESEARCHER, study))
    campaign = make.campaign(study)
    pages = [
        *(f"documents/?{name}=%00" for name in ("q", "style", "topic", "question", "split")),
        "flags/?kind=%00&sentence=%00", "groups/?q=%00&element=%00", "questions/?page=%00", "concepts/?q=%00&cui=%00",
        f"campaigns/{campaign.slug}/review/?person=9999999999999999999&answer=%00&view=one",
        f"campaigns/{campaign.slug}/review/?person=999999999999999999",
        f"campaigns/{campaign.slug}/expected/?item=999999999&show=%00",
        f"campaigns/{campaign.slug}/preview/?item=999999999",
        "jobs/?state=%00", "trail/?person=%00&q=%00&action=%00",
    ]  # fmt: skip
    for page in pages:
        for front in (f"/studies/{study.slug}/", f"/studies/{study.slug}/texts/", f"/api/studies/{study.slug}/"):
            assert client.get(front + page).status_code in (200, 400, 401, 404, 422), front + page
