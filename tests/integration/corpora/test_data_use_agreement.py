"""Terms and credentials stand between a person and a study's texts, on pages and in the API alike."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from factories.whole_study import token
from support import campaigns as made

from accounts.actions.set_credential import set_credential
from accounts.models import Credential
from accounts.permissions import Role
from corpora.actions.accept_terms import accept_terms
from corpora.actions.edit_study import edit_study
from corpora.models import Study
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return made.study(items=3)


@pytest.fixture
def reader(study):
    return made.person(Role.RESEARCHER, study)


@pytest.fixture
def client(reader):
    one = Client()
    one.force_login(reader)
    return one


def texts(study):
    return reverse("study_texts", args=[study.slug])


def test_without_terms_nothing_is_asked(study, client):
    assert client.get(texts(study)).status_code == 200


def test_terms_are_read_and_accepted_before_the_texts(study, client):
    edit_study(study=study, terms="Keep the texts to yourself.")
    answer = client.get(texts(study))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("study_terms", args=[study.slug]))
    page = client.get(answer.url)
    assert "Keep the texts to yourself." in page.content.decode()
    done = client.post(answer.url, {"version": "1", "next": texts(study)})
    assert done.url == texts(study)
    assert client.get(texts(study)).status_code == 200


def test_other_terms_are_accepted_anew_and_the_same_are_not(study, reader, client):
    edit_study(study=study, terms="First.")
    accept_terms(study=study, person=reader, version=1)
    edit_study(study=study, terms="First.", title="Another title")
    assert client.get(texts(study)).status_code == 200
    edit_study(study=study, terms="Second.")
    assert client.get(texts(study)).status_code == 302
    edit_study(study=study, terms="")
    assert client.get(texts(study)).status_code == 200
    edit_study(study=study, terms="Third.")
    assert client.get(texts(study)).status_code == 302


def test_an_older_version_cannot_be_accepted(study, reader):
    edit_study(study=study, terms="First.")
    edit_study(study=study, terms="Second.")
    with pytest.raises(UserError, match="changed since"):
        accept_terms(study=study, person=reader, version=1)


def test_a_credential_counts_while_it_is_valid(study, reader, client):
    edit_study(study=study, required_credentials=["mimic-iii"])
    assert client.get(texts(study)).status_code == 302
    admin = made.person(Role.ADMIN)
    held = set_credential(person=reader, name="mimic-iii", by=admin)
    assert client.get(texts(study)).status_code == 200
    Credential.objects.filter(pk=held.pk).update(expires_on=date(2020, 1, 1))
    assert client.get(texts(study)).status_code == 302
    Credential.objects.filter(pk=held.pk).update(expires_on=None, verified_at=None)
    assert client.get(texts(study)).status_code == 302


def test_an_admin_needs_the_credential_too(study):
    edit_study(study=study, required_credentials=["mimic-iii"])
    one = Client()
    one.force_login(made.person(Role.ADMIN))
    assert one.get(texts(study)).status_code == 302


def test_the_api_says_what_is_lacking(study, reader):
    edit_study(study=study, terms="Keep them.", required_credentials=["mimic-iii"])
    headers = {"Authorization": f"Token {token(reader)[1]}"}
    address = reverse("api:sentence-list", args=[study.slug])
    refused = Client().get(address, headers=headers)
    assert refused.status_code == 403
    assert "mimic-iii" in refused.json()["detail"]
    set_credential(person=reader, name="mimic-iii", by=made.person(Role.ADMIN))
    assert "accept its terms" in Client().get(address, headers=headers).json()["detail"]
    accept_terms(study=study, person=reader, version=1)
    assert Client().get(address, headers=headers).status_code == 200


def test_who_set_the_terms_can_still_change_them(study, client):
    edit_study(study=study, required_credentials=["nobody-has-this"])
    assert client.get(reverse("study_edit", args=[study.slug])).status_code == 200
    assert client.get(reverse("study_members", args=[study.slug])).status_code == 200


def test_a_page_elsewhere_is_not_led_to(study, client):
    edit_study(study=study, terms="Keep them.")
    address = reverse("study_terms", args=[study.slug])
    done = client.post(address, {"version": "1", "next": "//evil.example/"})
    assert done.url == reverse("study", args=[study.slug])


def test_bars_is_asked_in_the_statement_that_fetches_the_study(study, reader, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = Study.with_role(study.slug, reader)
        assert found.bars(reader) == ""
