"""The navigation of a study: two levels, each page in one place, for each role what it may open."""

import pytest
from django.urls import get_resolver
from support.campaigns import person, study

from accounts.permissions import Role
from accounts.permissions.routes import ROUTES
from config.pages.navigation import SECTIONS, study_nav
from config.pages.trail import above
from corpora.models import Membership

pytestmark = pytest.mark.django_db


def entered(role):
    made, member = study(), person()
    Membership.objects.create(study=made, person=member, role=role)
    return made, member


def labels(entries):
    return [entry["label"] for entry in entries]


def current(entries):
    return [entry["label"] for entry in entries if entry["current"]]


def test_every_page_of_the_navigation_exists_once_and_has_a_row():
    names = [name for section in SECTIONS for name, _label in section.pages]
    known = get_resolver().reverse_dict
    assert len(names) == len(set(names))
    assert all(name in ROUTES and known.getlist(name) for name in names)
    assert len(SECTIONS) == 7
    assert max(len(section.pages) for section in SECTIONS) == 9


@pytest.mark.parametrize(("path", "section", "page"), [
    ("", "Overview", None),
    ("texts/", "Texts", "Sources"),
    ("texts/import/3/", "Texts", "Sources"),
    ("texts/documents/new/", "Texts", "Documents"),
    ("campaigns/a-campaign/review/", "People's work", "Campaigns"),
    ("campaigns/-/answers/", "People's work", "Answers"),
    ("human/new/", "People's work", "Human studies"),
    ("systems/run/", "Models", "Systems"),
    ("report/metrics/", "Report", "Leaderboard"),
    ("report/ratings/", "Report", "Judgements"),
    ("gold/releases/new/", "Gold", "Gold"),
    ("jobs/7/", "Settings", "Jobs"),
    ("trail/", "Settings", "Audit log"),
])  # fmt: skip
def test_a_page_is_marked_on_both_levels(path, section, page):
    made, lead = entered(Role.RESEARCHER)
    nav = study_nav(f"/studies/{made.slug}/{path}", lead, made)
    assert current(nav["sections"]) == [section]
    assert current(nav["pages"]) == ([page] if page else [])
    assert nav["section"] == section


def test_each_role_sees_what_it_may_open():
    made, reviewer = entered(Role.REVIEWER)
    nav = study_nav(f"/studies/{made.slug}/reviews/", reviewer, made)
    assert labels(nav["sections"]) == ["Overview", "Texts", "People's work", "Models", "Report", "Jobs"]
    assert labels(nav["pages"]) == ["Campaigns", "Human studies", "Reviews", "Scales"]
    annotator = person()
    Membership.objects.create(study=made, person=annotator, role=Role.EXPERT_ANNOTATOR)
    nav = study_nav(f"/studies/{made.slug}/campaigns/", annotator, made)
    assert (labels(nav["sections"]), nav["pages"]) == (["Overview", "Campaigns"], [])


def test_the_title_of_a_page_names_its_study(client):
    made, lead = entered(Role.RESEARCHER)
    client.force_login(lead)
    for path, name in (("", "Overview"), ("texts/", "Sources"), ("reviews/", "Reviews")):
        page = client.get(f"/studies/{made.slug}/{path}").content.decode()
        assert f"<title>{name} · {made.title} · Restyle</title>" in page
    assert "<title>Studies · Restyle</title>" in client.get("/").content.decode()


@pytest.mark.parametrize(("route", "pages"), [
    ("people_invite", ("people",)),
    ("study", ()),
    ("study_documents", ("study",)),
    ("document", ("study", "study_documents")),
    ("study_answers", ("study",)),
    ("human_rater", ("study", "study_human", "human_study")),
    ("study_table", ("study", "study_tables")),
    ("metrics_choose", ("study", "study_report")),
    ("campaign_revise", ("study", "study_campaigns", "campaign_work", "campaign_answers")),
    ("notifications", ("account_settings",)),
    ("mfa_activate_totp", ("account_settings",)),
])  # fmt: skip
def test_a_page_lies_below_those_that_its_address_begins_with(route, pages):
    assert above(route) == pages


def test_breadcrumbs_name_things_and_leave_out_what_a_person_may_not_open(client):
    made, annotator = entered(Role.CROWD_ANNOTATOR)
    made.title = "<Mine>"
    made.save()
    client.force_login(annotator)
    page = client.get(f"/studies/{made.slug}/terms/").content.decode()
    assert '<li><a href="/work/" dir="auto">My work</a></li>' in page
    assert f'<li><a href="/studies/{made.slug}/" dir="auto">&lt;Mine&gt;</a></li>' in page
    assert '<li><span aria-current="page" dir="auto">Terms</span></li></ol>' in page
    client.force_login(person(Role.ADMIN))
    page = client.get("/people/invite/").content.decode()
    assert '<li><a href="/" dir="auto">Studies</a></li><li><a href="/people/" dir="auto">People</a></li>' in page
    assert 'class="crumbs"' not in client.get("/").content.decode()
