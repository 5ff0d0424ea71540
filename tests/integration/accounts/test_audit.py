"""What the audit log holds besides changes; what it says of a change; and that the database lets nobody change it."""

import csv
import io
import re
from datetime import date, timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from django.utils import timezone
from support import campaigns as made
from support.clients import as_person, with_token

from accounts import audit
from accounts.actions.change_role import change_role
from accounts.actions.erase_person import erase_person
from accounts.actions.rename_person import rename_person
from accounts.audit_reading import entry_in_words, filter_entries
from accounts.models import AuditEntry
from accounts.permissions import Role
from accounts.permissions.routes import ROUTES, TAKES_OUT
from annotation.actions.edit_campaign import edit_campaign
from config.middleware import note_taken
from corpora.actions.accept_terms import accept_terms
from corpora.actions.edit_study import edit_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_new_process():
    audit._once.cache_clear()


def told(**narrow):
    return list(AuditEntry.objects.filter(**narrow).order_by("pk").values_list("action", flat=True))


def test_sign_ins_failed_ones_and_sign_outs(client, make_person, sign_in):
    person = make_person()
    sign_in(person.email, "not-the-Password")
    sign_in("nobody@example.org", "a password typed into the wrong field")
    sign_in(person.email)
    client.post("/accounts/logout/")
    rows = AuditEntry.objects.filter(kind="sign_in").order_by("pk")
    assert [(row.action, row.person) for row in rows] == [
        ("sign_in_failed", person), ("sign_in_failed", None), ("sign_in", person), ("sign_out", person),
    ]  # fmt: skip
    assert {(row.target, str(row.details)) for row in rows} == {("", "{}")}, "nothing that was typed is kept"


def test_a_wrong_code_of_the_second_step(client, make_person, sign_in):
    person = make_person()
    TOTP.activate(person, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    sign_in(person.email)
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert told(person=person, kind="sign_in") == ["second_step_failed"]


def test_what_is_taken_out_of_the_site():
    study = made.study()
    lead = made.person(Role.RESEARCHER, study)
    campaign, client = made.campaign(study), as_person(lead)
    assert client.get(reverse("campaign_ledger_file", args=[study.slug, campaign.slug])).status_code == 200
    assert client.get(reverse("study_answers_file", args=[study.slug])).status_code == 200
    assert told(kind="export") == ["take_campaign_ledger_file", "export_answers"]
    row = AuditEntry.objects.get(kind="export", action="take_campaign_ledger_file")
    assert (row.person, row.study_slug, row.target) == (lead, study.slug, f"campaign {campaign.slug}")


def test_what_a_download_is_asked_with_is_noted_but_for_what_cannot_be_stored():
    study = made.study()
    campaign = made.campaign(study)
    client = as_person(made.person(Role.RESEARCHER, study))
    asked = {"a\0b": "c\0d", "e": "f", "long": "x" * 61, "y" * 61: ""}
    assert client.get(reverse("campaign_ledger_file", args=[study.slug, campaign.slug]), asked).status_code == 200
    assert AuditEntry.objects.get(kind="export").details == {"a\ufffdb": "c\ufffdd", "e": "f"}


def test_a_form_that_is_only_looked_at_takes_nothing():
    study = made.study()
    client = as_person(made.person(Role.RESEARCHER, study))
    assert client.get(reverse("transfer_file", args=[study.slug]), {"model": "x\0"}).status_code == 200
    assert told(kind="export") == []


@pytest.mark.parametrize(
    ("dest", "mode", "mark", "is_taken"),
    [
        ("empty", "cors", "", False), ("image", "no-cors", "", False), ("document", "navigate", "", True),
        ("empty", "navigate", "", True), ("", "", "", True), ("", "", "page", False),
        ("document", "navigate", "page", True), ("empty", "cors", "page", False),
    ],
)  # fmt: skip
def test_a_figure_that_a_page_draws_is_taken_by_nobody(dest, mode, mark, is_taken):
    """As browsers tell what they ask for (https://www.w3.org/TR/fetch-metadata/), which over plain http, and in some
    windows, they do not: there the page's own addresses do. A program says nothing."""
    study = made.study()
    given = {"Sec-Fetch-Dest": dest, "Sec-Fetch-Mode": mode} if dest else {}
    address = reverse("table_file", args=[study.slug, "leaderboard_figure", "svg"])
    request = RequestFactory().get(address, {"shown": mark} if mark else {}, headers=given)
    request.resolver_match, request.user = resolve(request.path), made.person(Role.RESEARCHER, study)
    note_taken(request, HttpResponse())
    assert told(kind="export") == ["take_table_file"] * is_taken


def test_a_page_marks_what_it_draws_and_not_what_it_offers():
    page = render_to_string("evaluation/_figure.html", {"study": made.study(), "table_or_figure": {"name": "curves"}})
    found = re.findall(r"/report/tables/curves/\w+/([^\"]*)", page)
    assert sorted(found) == [*["?shown=page"] * 3, "?words=page"], "a picture that is copied goes out of the page"


def test_the_log_speaks_plain_verbs_and_is_searched_by_them():
    person = made.person(Role.ADMIN)
    audit.log_event(person, AuditEntry.Kind.EXPORT, "take_table_file", target="name scores form csv")
    (found,) = filter_entries(AuditEntry.objects.all(), {"q": "download"})
    words = entry_in_words(found)
    assert (words["action"], words["target"]) == ("Downloaded a table", "scores, csv")


def test_the_page_names_things_by_their_titles_and_kinds_of_work_by_their_words():
    study, other = made.study(), made.study()
    lead = made.person(Role.RESEARCHER, study)
    made.campaign(study, slug="one", name="Où est l’erreur ?")
    made.campaign(other, slug="one", name="Of another study")
    for target in ("campaign one form csv", "campaign gone form csv"):
        audit.log_event(lead, "export", "take_campaign_ledger_file", study=study.slug, target=target)
    page = as_person(lead).get(reverse("study_trail", args=[study.slug]), headers={"Accept-Language": "es"})
    rows = [entry.told for entry in page.context["page"]]
    assert [row["target"] for row in rows[:3]] == ["campaña gone, csv", "campaña Où est l’erreur ?, csv",
                                                   "campaña Où est l’erreur ?"]  # fmt: skip
    assert "Tipo de trabajo: Reescribir" in rows[3]["given"]


def test_a_refused_download_is_none():
    study = made.study()
    campaign = made.campaign(study)
    client = as_person(made.person(Role.CROWD_ANNOTATOR, study))
    assert client.get(reverse("campaign_ledger_file", args=[study.slug, campaign.slug])).status_code == 403
    assert told(kind="export") == []


RECORDED_BY_THEIR_ACTION = {"study_answers_file", "campaign_answers_file", "api:study-answers-file",
                            "api:campaign-answers-file"}  # fmt: skip

BRINGS_ONE = {"transfer_file", "api:transfer-file"}  # a model runs on it; what it made is the result's own route


def test_every_route_of_a_file_is_noted():
    files = {name for name in ROUTES if name.endswith(("_file", "-file")) or "download" in name}
    assert files - RECORDED_BY_THEIR_ACTION - BRINGS_ONE <= TAKES_OUT <= set(ROUTES)


def test_reads_of_texts_under_terms_once_a_day(django_assert_num_queries):
    study = made.study()
    reader = made.person(Role.REVIEWER, study)
    client = as_person(reader)
    address = f"/studies/{study.slug}/texts/"
    assert client.get(address).status_code == 200
    assert told(kind="read") == [], "a study without terms notes nothing"
    edit_study(study=study, terms="Show them to nobody.")
    assert client.get(address).status_code == 302
    assert told(kind="read") == [], "nor does who was turned away"
    accept_terms(study=study, person=reader, version=1)
    for _ in range(3):
        assert client.get(address).status_code == 200
    row = AuditEntry.objects.get(kind="read")
    assert (row.person, row.study_slug, row.action) == (reader, study.slug, "read_texts")
    audit._once.cache_clear()  # another process
    assert client.get(address).status_code == 200
    assert told(kind="read") == ["read_texts"]
    with django_assert_num_queries(0):
        audit.log_event_daily(reader, "read", "read_texts", study=study.slug)


def test_the_use_of_a_token_by_study_and_day():
    study = made.study()
    lead = made.person(Role.RESEARCHER, study)
    program = with_token(lead)
    for _ in range(2):
        assert program.get("/api/me/").status_code == 200
        assert program.get(f"/api/studies/{study.slug}/").status_code == 200
    rows = AuditEntry.objects.filter(kind="token").order_by("study_slug")
    prefix = lead.tokens.get().prefix
    assert [(row.person, row.study_slug, row.target) for row in rows] == [
        (lead, "", f"token {prefix}"), (lead, study.slug, f"token {prefix}"),
    ]  # fmt: skip
    audit._once(lead.pk, "token", "use_token", study.slug, f"token {prefix}", date(2020, 1, 1))
    assert AuditEntry.objects.filter(kind="token").count() == 3, "another day has its own"


def test_a_session_is_no_token():
    as_person(made.person(Role.RESEARCHER)).get("/api/me/")
    assert told(kind="token") == []


def test_a_change_tells_the_values_before_and_after():
    campaign = made.campaign(made.study(), pay={"currency": "EUR", "item": 0.1})
    edit_campaign(campaign=campaign, by=None, name="Second", lease_minutes=15, pay={"currency": "EUR", "item": 0.2})
    assert AuditEntry.objects.get(action="edit_campaign").changes == {
        "name": ["rewrite", "Second"],
        "lease_minutes": [60, 15],
        "pay": [{"currency": "EUR", "item": 0.1}, {"currency": "EUR", "item": 0.2}],
    }
    who = made.person(Role.REVIEWER)
    change_role(person=who, role="researcher")
    assert AuditEntry.objects.get(action="change_role").changes == {"role": ["reviewer", "researcher"]}


def test_what_did_not_change_is_not_told():
    study = made.study()
    edit_study(study=study, title=study.title)
    assert AuditEntry.objects.get(action="edit_study").changes == {}


def test_texts_secrets_and_people_are_told_without_their_values():
    study, who = made.study(), made.person(Role.REVIEWER, name="Ada")
    edit_study(study=study, description="All of it by Ada.", terms="Show them to nobody.")
    assert AuditEntry.objects.get(action="edit_study").changes == {
        "description": None, "terms": None, "terms_version": [0, 1],
    }  # fmt: skip
    rename_person(person=who, name="Ada Lovelace")
    assert AuditEntry.objects.get(action="rename_person").changes == {"name": None}


def refused(statement, *values):
    with pytest.raises(DatabaseError, match="The audit trail is never changed"), transaction.atomic():
        connection.cursor().execute(statement, values)


def test_the_database_adds_rows_to_the_trail_and_does_nothing_else():
    change_role(person=made.person(Role.REVIEWER), role="researcher")
    before = list(AuditEntry.objects.order_by("pk").values())
    refused("UPDATE accounts_auditentry SET action = 'none'")
    refused("UPDATE accounts_auditentry SET details = '{}'")
    refused("DELETE FROM accounts_auditentry")
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")  # else it is refused for what waits of this test
    refused("TRUNCATE accounts_auditentry")
    refused("TRUNCATE accounts_auditentry CASCADE")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        AuditEntry.objects.all().delete()
    assert list(AuditEntry.objects.order_by("pk").values()) == before


def test_even_while_somebody_is_erased_words_go_and_nothing_else():
    row = AuditEntry.objects.create(action="none", target="answer by 100% Ada_B", details={"said": "by Ada"})
    with transaction.atomic():
        connection.cursor().execute("SELECT set_config('restyle.erasing', 'on', true)")
        refused("UPDATE accounts_auditentry SET target = 'answer by Eve'")
        refused("UPDATE accounts_auditentry SET target = 'question by [erased]'")
        refused("UPDATE accounts_auditentry SET at = now() - interval '1 day'")
        refused("UPDATE accounts_auditentry SET person_id = %s", made.person().pk)
        refused("""UPDATE accounts_auditentry SET details = '{"said": "by Eve"}'""")
        refused("DELETE FROM accounts_auditentry")
        AuditEntry.objects.filter(pk=row.pk).update(target="answer by 100% [erased]_B", details={"said": "by [erased]"})
    row.refresh_from_db()
    assert row.target == "answer by 100% [erased]_B"


def test_after_somebody_was_erased_the_trail_is_closed_again():
    gone, admin = made.person(Role.REVIEWER, name="Zacharias"), made.person(Role.ADMIN)
    AuditEntry.objects.create(action="none", target="for Zacharias", changes={"title": ["a", "by Zacharias"]})
    erase_person(person=gone, by=admin)
    row = AuditEntry.objects.get(action="none")
    assert (row.target, row.changes) == ("for [erased]", {"title": ["a", "by [erased]"]})
    refused("UPDATE accounts_auditentry SET target = '[erased]'")
    assert AuditEntry.objects.get(action="erase_person").person == admin


@pytest.fixture
def trail():
    """An admin, and a trail of three rows: of two people, two kinds, two days."""
    AuditEntry.objects.create(action="begin", person=made.person(name="Grace Hopper"), study_slug="one")
    last = AuditEntry.objects.create(action="go_on", kind="export", study_slug="two", details={"form": "=csv"})
    audit.log_event_daily(made.person(), "read", "read_texts", study="one")
    return last


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, {"begin", "go_on", "read_texts"}), ({"person": "hopper"}, {"begin"}), ({"kind": "export"}, {"go_on"}),
        ({"study": "one"}, {"begin", "read_texts"}), ({"since": "2999-01-01"}, set()), ({"until": "2000-01-01"}, set()),
    ],
)  # fmt: skip
def test_the_trail_is_narrowed_on_the_page_in_the_file_and_in_the_api(trail, asked, found):
    admin = made.person(Role.ADMIN)
    browser, program = as_person(admin), with_token(admin)
    asked = asked if asked.get("since") == "2999-01-01" else {"until": str(timezone.now().date()), **asked}
    actions = {"begin", "go_on", "read_texts"}
    page = browser.get("/trail/", asked)
    assert {entry.action for entry in page.context["page"]} & actions == found
    rows = list(csv.DictReader(io.StringIO(b"".join(browser.get("/trail/file/", asked).streaming_content).decode())))
    assert {row["action"] for row in rows} & actions == found
    results = program.get("/api/trail/", asked).json()["results"]
    assert {row["action"] for row in results} & actions == found
    assert "take_trail_file" in told(kind="export"), "who took the trail is in the trail"


def test_a_cell_of_the_file_runs_no_formula(trail):
    AuditEntry.objects.create(action="none", target="=1+1")
    file = as_person(made.person(Role.ADMIN)).get("/trail/file/", {"kind": "change"})
    targets = [row["target"] for row in csv.DictReader(io.StringIO(b"".join(file.streaming_content).decode()))]
    assert "=1+1" not in targets
    assert any(target.endswith("=1+1") for target in targets)


@pytest.mark.parametrize("asked", [{"kind": "none"}, {"since": "yesterday"}, {"until": "2026-02-30"}])
def test_what_cannot_be_asked_is_said(asked):
    admin = made.person(Role.ADMIN)
    assert as_person(admin).get("/trail/", asked).status_code == 422
    assert as_person(admin).get("/trail/file/", asked).status_code == 422
    assert with_token(admin).get("/api/trail/", asked).status_code == 400


def test_a_study_shows_its_own_trail_alone():
    study, other = made.study(), made.study()
    lead = made.person(Role.RESEARCHER, study)
    for one in (study, other):
        AuditEntry.objects.create(action="none", study_slug=one.slug)
    assert with_token(lead).get(f"/api/studies/{study.slug}/trail/", {"study": other.slug}).json()["count"] == 0
    page = as_person(lead).get(f"/studies/{study.slug}/trail/", {"since": str(timezone.now().date() - timedelta(1))})
    assert {entry.study_slug for entry in page.context["page"]} == {study.slug}
    file = as_person(lead).get(f"/studies/{study.slug}/trail/file/")
    assert other.slug not in b"".join(file.streaming_content).decode()


def test_anonymous_pages_note_nothing():
    Client().get("/accounts/login/")
    assert told() == []


def test_the_log_is_searched_by_words_of_action_and_target_and_turned_round(client):
    study = made.study()
    client.force_login(made.person(Role.RESEARCHER, study))
    edit_study(study=study, title="Another title")
    address = reverse("study_trail", args=[study.slug])
    whole = client.get(address).content.decode()
    assert "Changed the study" in whole
    found = client.get(address, {"q": "edit study"}).content.decode()
    assert "Changed the study" in found
    assert "Added a direction" not in found
    assert "No entry matches." in client.get(address, {"q": "edit nothing"}).content.decode()
    oldest = client.get(address, {"sort": "oldest"}).content.decode()
    assert oldest.index("Added a direction") < oldest.index("Changed the study")
    assert whole.index("Added a direction") > whole.index("Changed the study")
    assert client.get(address, {"sort": "sideways"}).status_code == 422
    assert [row["action"] for row in client.get(f"/api/studies/{study.slug}/trail/?q=edit").json()["results"]] == [
        "edit_study"
    ]


def test_values_before_and_after_stand_apart_and_private_ones_are_not_there(client):
    study = made.study()
    client.force_login(made.person(Role.RESEARCHER, study))
    edit_study(study=study, title="Another title", description="A long private text")
    page = client.get(reverse("study_trail", args=[study.slug])).content.decode()
    assert '<ins dir="auto">Another title</ins>' in page
    assert "changed; the values are not recorded" in page
    assert "A long private text" not in page
