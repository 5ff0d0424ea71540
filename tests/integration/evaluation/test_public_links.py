"""A page to show: what stands on it and what does not, who may make and revoke its link, and what a closed one says."""

import json
import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from factories.whole_study import WholeStudy
from support import campaigns

from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.actions.set_archived import set_archived
from corpora.formats import Judgement
from corpora.models import Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_public_link import make_public_link
from evaluation.actions.make_report import make_report
from evaluation.actions.revoke_public_link import revoke_public_link
from evaluation.models import PublicLink
from evaluation.table_parts.contents import Entry
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    made = campaigns.study(items=6, systems=2, references=1)
    keep_criteria(made, [{"name": "fluency", "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    given = [
        Judgement("zoltan", f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", "fluency",
                  1 + (n * k) % 5, None, n)
        for n in range(1, 7) for k in (1, 2)
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}})
    make_report(study=made)
    return made.pk


@pytest.fixture
def study(made_once):
    return Study.objects.get(pk=made_once)


def read(secret):
    return Client().get(reverse("public_page", args=[secret]))


def by_somebody(study, role=Role.RESEARCHER):
    client = Client()
    client.force_login(campaigns.person(role, study))
    return client


@pytest.mark.parametrize("page", ["report", "leaderboard", "trust"])
def test_anybody_with_the_link_reads_the_numbers_and_nothing_else(study, page):
    maker = campaigns.person(Role.RESEARCHER, study, name="Maker of Links")
    _, secret = make_public_link(study=study, page=page, by=maker)
    answer = read(secret)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert ("Edits" if page == "trust" else "RuleBasedSecret") in html
    assert "This page follows later reports" in html
    for hidden in ("zoltan", "Maker of Links", "gotta see", "You should see", f"/studies/{study.slug}", "/accounts/"):
        assert hidden not in html, hidden
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Cache-Control"] == "private, no-store"
    assert '<meta name="robots" content="noindex, nofollow">' in html


def test_a_whole_report_has_its_tables_without_texts_and_raters(study):
    report = make_report(study=study)
    shown = read(make_public_link(study=study, page="report", by=None)[1]).content.decode()
    names = set(re.findall(r'id="table-(\w+)"', shown))
    assert len(names) == len(re.findall(r"<summary><h2>", shown)) + 1, "the first is open, the others are folded"
    assert {"leaderboard", "agreement", "systems"} <= names
    made = report.tables_and_figures
    assert [made[name]["is"] for name in ("examples", "workers")] == ["table", "table"]
    assert not names & {"examples", "workers"}
    assert "Which system is best" in shown
    charts = {
        name: json.loads(spec) for name, spec in re.findall(r'<script id="drawn-(\w+)"[^>]*>(.*?)</script>', shown)
    }
    expected = ("leaderboard_figure", "trust_figure", "foils_figure")
    assert list(charts) == [name for name in expected if made[name]["is"] == "figure"] != []
    for name, chart in charts.items():
        assert chart["data"]["values"] == Entry.of(made[name]).figure.rows, "the report's own numbers"


def test_links_say_who_made_them_and_when_they_were_last_read(study):
    maker = campaigns.person(Role.RESEARCHER, study, name="Maker of Links")
    _, secret = make_public_link(study=study, page="report", by=maker)
    client = by_somebody(study)
    page, endpoint = (reverse(name, args=[study.slug]) for name in ("study_public_links", "api:public-link-list"))
    assert "never" in client.get(page).content.decode()
    (told,) = client.get(endpoint).json()
    assert (told["made_by"], told["last_used_at"]) == ("Maker of Links", None)
    read(secret)
    assert "Maker of Links" in client.get(page).content.decode()
    assert client.get(endpoint).json()[0]["last_used_at"] is not None


def test_the_page_follows_the_report(study):
    _, secret = make_public_link(study=study, page="leaderboard", by=None)
    choose_metrics(study=study, metrics={"fkgl": {}})
    make_report(study=study)
    assert "FKGL" in read(secret).content.decode()


def test_the_secret_is_shown_once_and_not_kept(study):
    client = by_somebody(study)
    html = client.post(
        reverse("study_public_links", args=[study.slug]), {"page": "trust", "days": "3"}
    ).content.decode()
    link = study.public_links.get()
    secret = html.split("/shown/")[1].split("/")[0]
    assert len(secret) == 43
    assert secret.startswith(link.prefix)
    assert read(secret).status_code == 200
    again = client.get(reverse("study_public_links", args=[study.slug])).content.decode()
    assert secret not in again
    assert secret not in str(PublicLink.objects.values().get())
    assert link.expires_at.date() == (timezone.now() + timedelta(days=3)).date()


def test_its_last_use_is_noted_and_only_then(study):
    link, secret = make_public_link(study=study, page="leaderboard", by=None)
    assert link.last_used_at is None
    read(secret)
    link.refresh_from_db()
    assert timezone.now() - link.last_used_at < timedelta(minutes=1)


def test_a_revoked_or_expired_link_says_so(study):
    link, secret = make_public_link(study=study, page="leaderboard", by=None)
    client = by_somebody(study)
    client.post(reverse("public_link_revoke", args=[study.slug, link.pk]))
    answer = read(secret)
    assert (answer.status_code, "This link was revoked" in answer.content.decode()) == (410, True)
    assert "RuleBasedSecret" not in answer.content.decode()
    link, secret = make_public_link(study=study, page="leaderboard", days=1, by=None)
    PublicLink.objects.filter(pk=link.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = read(secret)
    assert (answer.status_code, "This link has expired" in answer.content.decode()) == (410, True)
    assert read("x" * 43).status_code == 404


def test_making_and_revoking_stand_in_the_audit_log_without_the_secret(study):
    by = campaigns.person(Role.RESEARCHER, study)
    link, secret = make_public_link(study=study, page="leaderboard", by=by)
    revoke_public_link(link=link, by=by)
    rows = AuditEntry.objects.filter(study_slug=study.slug, action__contains="public_link").order_by("pk")
    assert [row.action for row in rows] == ["make_public_link", "revoke_public_link"]
    assert all(row.person == by for row in rows)
    assert secret not in str(list(rows.values()))
    assert link.digest not in str(list(rows.values()))


def test_a_link_of_an_archived_study_can_be_revoked_and_none_is_made(study):
    link, secret = make_public_link(study=study, page="leaderboard", by=None)
    client = by_somebody(study)
    set_archived(study=study, archived=True, by=None)
    assert read(secret).status_code == 200
    client.post(reverse("study_public_links", args=[study.slug]), {"page": "trust"})
    assert study.public_links.count() == 1
    client.post(reverse("public_link_revoke", args=[study.slug, link.pk]))
    assert read(secret).status_code == 410


def test_the_endpoint_makes_and_revokes(study):
    client = by_somebody(study)
    url = reverse("api:public-link-list", args=[study.slug])
    made = client.post(url, {"page": "leaderboard", "days": 7}, content_type="application/json")
    assert made.status_code == 201
    assert client.get(made.json()["url"]).status_code == 200
    (listed,) = client.get(url).json()
    assert "url" not in listed
    assert listed["is_open"]
    assert client.delete(reverse("api:public-link-detail", args=[study.slug, listed["id"]])).status_code == 204
    assert client.get(made.json()["url"]).status_code == 410
    assert not client.get(url).json()[0]["is_open"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"page": "odd"}, "Expected one of"),
        ({"page": "trust", "days": 0}, "Expected a number from 1 to 3,650"),
        ({"page": "release"}, "Name the release"),
        ({"page": "trust", "with_texts": True}, "Only the page of a release can show texts"),
    ],
)
def test_what_cannot_be_shown_is_refused(study, given, sentence):
    with pytest.raises(UserError, match=sentence):
        make_public_link(study=study, by=None, **given)
    assert not study.public_links.exists()


def test_without_a_report_there_is_nothing_to_show():
    with pytest.raises(UserError, match="There is no report yet"):
        make_public_link(study=campaigns.study(items=1), page="leaderboard", by=None)


def test_texts_of_a_release_are_shown_only_while_the_study_permits():
    whole = WholeStudy()
    study, release = whole.study, whole.release
    with pytest.raises(UserError, match="states no licence"):
        make_public_link(study=study, page="release", release=release, with_texts=True, by=None)
    study.license = "CC BY 4.0"
    study.save()
    _, numbers = make_public_link(study=study, page="release", release=release, by=None)
    _, secret = make_public_link(study=study, page="release", release=release, with_texts=True, by=None)
    assert "Numbers only" in read(numbers).content.decode()
    assert "Datasheet" in read(secret).content.decode()
    study.terms_version = 1
    study.save()
    html = read(secret).content.decode()
    assert "Datasheet" not in html
    assert "Numbers only" in html
    assert whole.lead.email not in html


def test_a_release_of_another_study_is_not_shown(study):
    with pytest.raises(UserError, match="Name the release"):
        make_public_link(study=study, page="release", release=WholeStudy().release, by=None)


def test_it_is_limited_how_often_an_address_opens_such_pages(study, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "public_page": "3/m/ip"}
    _, secret = make_public_link(study=study, page="leaderboard", by=None)
    assert [read(secret).status_code for _ in range(4)] == [200, 200, 200, 429]
