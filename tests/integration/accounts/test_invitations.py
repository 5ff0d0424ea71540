import hashlib
import re
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.actions.accept_invitation import accept_invitation
from accounts.actions.invite_person import invite_person
from accounts.models import AccessLink, Person
from accounts.permissions import Role
from foundation.errors import UserError

ANSWERS = {"name": "Ada Example", "password": "seven-Wet-otters"}


@pytest.fixture
def invited(admin):
    return invite_person(email="New@Example.org", role=Role.REVIEWER, by=admin)


def test_an_admin_invites_and_the_person_joins_signed_in(client, admin, signed_in):
    client.force_login(admin)
    page = client.post("/people/invite/", {"email": "New@Example.org", "role": "reviewer"})
    path = re.search(r"http://testserver(/join/[\w-]+/)", page.content.decode()).group(1)
    client.logout()

    assert client.get(path).status_code == 200
    assert client.post(path, ANSWERS)["Location"] == "/"
    person = Person.objects.get(email="new@example.org")
    assert (person.name, person.role) == ("Ada Example", "reviewer")
    assert signed_in()
    assert client.get("/people/").status_code == 403


def test_only_the_hash_is_kept_for_14_days(invited):
    link, secret = invited
    assert link.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(AccessLink.objects.values().get())
    left = link.expires_at - timezone.now()
    assert timedelta(days=13, hours=23) < left <= timedelta(days=14)


def test_a_link_works_once(client, invited):
    _, secret = invited
    accept_invitation(secret=secret, **ANSWERS)
    page = client.get(f"/join/{secret}/")
    assert page.status_code == 410
    assert "already used" in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_who_accept_at_once_make_one_person(admin):
    for round in range(5):
        _, secret = invite_person(email=f"new{round}@example.org", role=Role.REVIEWER, by=admin)
        gate, results = threading.Barrier(2), []

        def accept(secret=secret, gate=gate, results=results):
            gate.wait()
            try:
                results.append(accept_invitation(secret=secret, **ANSWERS).email)
            except UserError as error:
                results.append(str(error))
            finally:
                connection.close()

        threads = [threading.Thread(target=accept) for _ in range(2)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert sorted(results) == ["This link was already used; each link works once.", f"new{round}@example.org"]


def test_an_expired_link_makes_nobody(client, invited):
    link, secret = invited
    AccessLink.objects.filter(pk=link.pk).update(expires_at=timezone.now())
    assert client.post(f"/join/{secret}/", ANSWERS).status_code == 410
    assert not Person.objects.filter(email="new@example.org").exists()


def test_a_weak_password_is_refused_and_the_link_stays_good(client, invited):
    _, secret = invited
    page = client.post(f"/join/{secret}/", {**ANSWERS, "password": "password12"})
    assert page.status_code == 422
    assert "too common" in page.content.decode()
    assert client.post(f"/join/{secret}/", ANSWERS).status_code == 302


def test_a_link_dies_with_its_makers_right(client, invited, admin, make_person):
    _, secret = invited
    make_person(Role.ADMIN)
    admin.role = Role.EXPERT_ANNOTATOR
    admin.save()
    assert client.get(f"/join/{secret}/").status_code == 410
    admin.role, admin.is_active = Role.ADMIN, False
    admin.save()
    assert client.get(f"/join/{secret}/").status_code == 410


def test_nobody_invites_above_themselves(make_person):
    researcher = make_person(Role.RESEARCHER)
    with pytest.raises(PermissionDenied, match="You may not manage people"):
        invite_person(email="new@example.org", role=Role.ADMIN, by=researcher)
    assert not AccessLink.objects.exists()


def test_somebody_who_is_here_is_not_invited_again(client, admin):
    client.force_login(admin)
    page = client.post("/people/invite/", {"email": "ADMIN@example.org", "role": "reviewer"})
    assert page.status_code == 422
    assert "exists already" in page.content.decode()


@pytest.mark.parametrize(
    "email", ["", "no address", f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org", "a\0@b.org"]
)
def test_what_is_no_address_is_refused(client, admin, email):
    client.force_login(admin)
    assert client.post("/people/invite/", {"email": email, "role": "reviewer"}).status_code == 422
    assert client.post("/api/invitations/", {"email": email, "role": "reviewer"}).status_code == 400


def test_a_withdrawn_invitation_is_worthless(client, admin, invited):
    link, secret = invited
    client.force_login(admin)
    assert "new@example.org" in client.get("/people/").content.decode()
    client.post(f"/people/invitations/{link.pk}/withdraw/")
    assert Client().get(f"/join/{secret}/").status_code == 410


def test_the_link_goes_out_by_mail_where_a_mail_server_is_set(client, admin, settings):
    settings.HAS_MAIL_SERVER = True
    client.force_login(admin)
    client.post("/people/invite/", {"email": "new@example.org", "role": "reviewer"})
    assert mail.outbox[0].to == ["new@example.org"]
    assert "http://testserver/join/" in mail.outbox[0].body


def test_no_mail_goes_out_without_one(client, admin, settings):
    settings.HAS_MAIL_SERVER = False
    client.force_login(admin)
    assert (
        "No e-mail was sent"
        in client.post("/people/invite/", {"email": "new@example.org", "role": "reviewer"}).content.decode()
    )
    assert mail.outbox == []


def test_nobody_signs_up_uninvited(client, db):
    assert client.get("/accounts/signup/").status_code in (302, 403)
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": "seven-Wet-otters"})
    assert not Person.objects.exists()
