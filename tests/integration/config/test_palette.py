"""The command palette finds pages and things to do by name, those that the person may open, by few statements."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from support import campaigns as made

from accounts.permissions import Role
from corpora.actions.set_archived import set_archived
from corpora.models import Membership

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


def found(client, query="", here=None):
    asked = {"q": query} | ({"study": here.slug} if here else {})
    answer = client.get(reverse("palette"), asked, headers=HTMX)
    assert answer.status_code == 200
    return [(entry.name, entry.study, entry.url) for entry in answer.context["entries"]]


@pytest.fixture
def study():
    return made.study(items=1, systems=1)


@pytest.fixture
def researcher(study):
    return made.person(Role.RESEARCHER, study)


def test_a_study_its_pages_its_systems_and_things_to_do_are_found_by_name(study, researcher):
    client = client_of(researcher)
    system = study.systems.get()
    for query, name, route in [
        (study.title, study.title, reverse("study", args=[study.slug])),
        ("which metric", "Which metric to trust", reverse("study_trust", args=[study.slug])),
        ("TRAIN a", "Train a model", reverse("training_new", args=[study.slug])),
        (system.name, system.name, reverse("system", args=[study.slug, system.pk])),
        ("your account", "Your account", reverse("account_settings")),
        (f"{study.title} metric trust", "Which metric to trust", reverse("study_trust", args=[study.slug])),
    ]:
        first = found(client, query)[0]
        assert (first[0], first[2]) == (name, route), query


def test_nothing_is_offered_that_the_person_may_not_open(study, researcher):
    other = made.study(items=1, systems=1)
    reviewer = client_of(made.person(Role.REVIEWER, study))
    every = {url for query in ("", "e", "a", "o", "i", "model", "member") for *_, url in found(reviewer, query, study)}
    assert len(every) > 20
    assert not {url for url in every if other.slug in url.split("/")}
    assert reverse("training_new", args=[study.slug]) not in every
    assert {reviewer.get(url).status_code for url in every} == {200}
    assert found(client_of(researcher), other.title) == [] or other.title in study.title


def test_of_the_study_at_hand_first_and_nothing_to_do_in_an_archived_one(study, researcher):
    later = made.study(items=1, systems=1)
    Membership.objects.create(study=later, person=researcher, role=Role.RESEARCHER)
    client = client_of(researcher)
    assert found(client, "leaderboard", later)[0][1] == later.title
    assert found(client, "leaderboard", study)[0][1] == study.title
    set_archived(study=study, archived=True, by=researcher)
    assert {where for name, where, _ in found(client, "train a model")} == {later.title}


def test_an_annotator_is_led_to_their_own_pages_alone(study):
    annotator = client_of(made.person(Role.CROWD_ANNOTATOR, study))
    assert {name for name, *_ in found(annotator)} == {"My work", "API tokens", "API", "Your account"}
    assert found(annotator, study.title) == []
    assert "data-palette" not in annotator.get(reverse("my_work")).content.decode()


def test_more_studies_are_no_more_statements(study, researcher):
    client = client_of(researcher)

    def statements():
        with CaptureQueriesContext(
            connection,
        ) as seen:
            found(client, "metric", study)
        return len(seen)

    statements()
    before = statements()
    for _ in range(4):
        Membership.objects.create(study=made.study(items=1, systems=1), person=researcher, role=Role.RESEARCHER)
    assert statements() == before <= 10


@pytest.mark.parametrize("query", ["\0", "x" * 5000, "%", "'", "<b>", "٣"])
def test_any_text_may_be_typed(researcher, query):
    assert found(client_of(researcher), query) is not None


def test_without_scripts_it_is_a_page_with_a_search(study, researcher):
    page = client_of(researcher).get(reverse("palette"), {"q": "trust", "study": study.slug}).content.decode()
    assert f'href="{reverse("study_trust", args=[study.slug])}"' in page
    assert 'name="q" value="trust"' in page
    assert f'name="study" value="{study.slug}"' in page
