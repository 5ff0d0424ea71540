"""The first page: what needs somebody, how far their studies are, and the search over them."""

import pytest
from django.test import Client
from django.utils import timezone
from support import campaigns as made

from accounts.permissions import Role
from corpora.models import Membership
from evaluation.models import Report
from jobs.models import Job

pytestmark = pytest.mark.django_db


def member(study, role):
    one = made.person(Role.RESEARCHER if role == Role.RESEARCHER else Role.CROWD_ANNOTATOR)
    Membership.objects.create(study=study, person=one, role=role)
    browser = Client()
    browser.force_login(one)
    return browser


def home(browser, query=""):
    answer = browser.get("/", {"q": query} if query else {})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def failed(study, title):
    now = timezone.now()
    return Job.objects.create(
        task="x", queue="default", title=title, study_slug=study.slug, state="failed", queued_at=now, ended_at=now
    )


def test_failed_jobs_are_shown_to_who_may_run_them_again():
    study = made.study()
    job = failed(study, "Train the small one")
    page = home(member(study, Role.RESEARCHER))
    assert "A job failed: Train the small one" in page
    assert f'href="/studies/{study.slug}/jobs/{job.pk}/"' in page
    assert "Train the small one" not in home(member(study, Role.REVIEWER))
    assert "Train the small one" not in home(member(made.study(), Role.RESEARCHER))


def test_answers_that_wait_lead_to_the_reviews():
    study = made.study()
    campaign, annotator = made.campaign(study, needs_review=True), made.person(study=study)
    made.hand_in(campaign, annotator, made.held(campaign, annotator))
    browser = member(study, Role.REVIEWER)
    page = home(browser)
    assert "1 answer waits for a review" in page
    assert f'href="/studies/{study.slug}/reviews/"' in page
    reviews = browser.get(f"/studies/{study.slug}/reviews/").content.decode()
    assert f"/campaigns/{campaign.slug}/review/" in reviews
    other = member(made.study(), Role.RESEARCHER)
    assert "waits for a review" not in home(other)


def test_a_report_is_new_until_it_is_opened():
    study = made.study()
    browser = member(study, Role.RESEARCHER)
    report = Report.objects.create(study=study, text='{"agreement": []}', made_at=timezone.now())
    assert "The report is new" in home(browser)
    assert browser.get(f"/studies/{study.slug}/report/").status_code == 200
    assert "The report is new" not in home(browser)
    Report.objects.filter(pk=report.pk).update(made_at=timezone.now())
    assert "The report is new" in home(browser)


def test_a_card_says_how_far_the_open_campaigns_are():
    study = made.study()
    made.campaign(study)
    page = home(member(study, Role.RESEARCHER))
    assert "0 of 6 answers in campaigns under way" in page
    assert "1 campaign" in page
    assert "Researcher" in page
    assert member(study, Role.EXPERT_ANNOTATOR).get("/").status_code == 302  # they have their work instead


def test_an_annotator_of_one_study_who_runs_another_sees_no_counts_of_the_first():
    study = made.study()
    made.campaign(study)
    browser = member(made.study(), Role.RESEARCHER)
    Membership.objects.create(study=study, person_id=browser.session["_auth_user_id"], role=Role.EXPERT_ANNOTATOR)
    page = home(browser)
    assert "0 of 6" not in page
    assert "Expert annotator" in page
    assert "expert_annotator" not in page


def test_names_are_found_in_ones_own_studies_alone():
    study, other = made.study(systems=2), made.study(systems=2)
    name = study.systems.first().name
    browser = member(study, Role.RESEARCHER)
    page = home(browser, name.upper())
    assert f'href="/studies/{study.slug}/systems/' in page
    assert f'href="/studies/{other.slug}/' not in page
    Membership.objects.create(study=other, person_id=browser.session["_auth_user_id"], role=Role.EXPERT_ANNOTATOR)
    assert f'href="/studies/{other.slug}/systems/' not in home(browser, name)
    assert "Nothing has this name" in home(browser, "%_%")
    assert "Nothing has this name" in home(browser, "\0" + "x" * 5000)


def test_the_pages_of_the_site_are_for_admins():
    admin = Client()
    admin.force_login(made.person(Role.ADMIN))
    study = made.study()
    failed(study, "Score it")
    assert 'href="/jobs/"' in home(admin)
    assert 'href="/jobs/"' not in home(member(study, Role.RESEARCHER))
    page = admin.get("/jobs/?state=failed").content.decode()
    assert "Score it" in page
    assert study.slug in page
    assert "Score it" not in admin.get("/jobs/?state=done").content.decode()


def test_more_studies_are_no_more_queries(django_assert_max_num_queries):
    admin = Client()
    admin.force_login(made.person(Role.ADMIN))
    for _number in range(4):
        made.campaign(made.study(systems=1))
    with django_assert_max_num_queries(12):
        admin.get("/")
