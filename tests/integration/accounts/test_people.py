import threading

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from accounts.actions.change_role import change_role
from accounts.actions.deactivate_person import deactivate_person
from accounts.actions.set_credential import set_credential
from accounts.models import Person
from accounts.permissions import Role
from foundation.errors import UserError

NEW = "nine-Dry-badgers"


def reset_path(client, person):
    page = client.post(f"/people/{person.pk}/reset-link/")
    return page.content.decode().split("http://testserver")[1].split("<")[0]


def test_an_admins_link_sets_a_new_password_once(client, admin, make_person, sign_in, signed_in):
    person = make_person()
    client.force_login(admin)
    path = reset_path(client, person)
    client.logout()

    assert client.post(path, {"password": NEW})["Location"] == "/accounts/login/"
    assert client.get(path).status_code == 410
    assert not signed_in()
    assert sign_in(person.email).status_code == 200, "the old password is gone"
    sign_in(person.email, NEW)
    assert signed_in()


def test_a_new_reset_link_ends_the_older_one(client, admin, make_person):
    person = make_person()
    client.force_login(admin)
    older, newer = reset_path(client, person), reset_path(client, person)
    assert client.get(older).status_code == 410
    assert client.get(newer).status_code == 200


def test_a_reset_ends_the_persons_sessions(client, admin, make_person, signed_in):
    person, other = make_person(), Client()
    client.force_login(person)
    assert signed_in()
    other.force_login(admin)
    other.post(reset_path(other, person), {"password": NEW})
    assert not signed_in()


def test_changing_the_password_ends_the_other_sessions_only(client, make_person, sign_in, signed_in):
    person, other = make_person(), Client()
    sign_in(person.email)
    other.force_login(person)
    client.post("/accounts/password/change/", {"oldpassword": "seven-Wet-otters", "password1": NEW, "password2": NEW})
    assert signed_in()
    assert other.get("/account/").status_code == 302


def test_a_deactivated_person_is_out_at_once_and_in_again_later(client, admin, make_person, sign_in, signed_in):
    person, other = make_person(), Client()
    client.force_login(person)
    other.force_login(admin)
    other.post(f"/people/{person.pk}/deactivate/")
    assert not signed_in()
    assert sign_in(person.email)["Location"] == "/accounts/inactive/"
    other.post(f"/people/{person.pk}/reactivate/")
    sign_in(person.email)
    assert signed_in()


def test_the_last_admin_stays(client, admin, make_person):
    make_person(Role.ADMIN, is_active=False)
    client.force_login(admin)
    page = client.post(f"/people/{admin.pk}/role/", {"role": "reviewer"}, follow=True)
    assert "last admin" in page.content.decode()
    page = client.post(f"/people/{admin.pk}/deactivate/", follow=True)
    assert "last admin" in page.content.decode()
    admin.refresh_from_db()
    assert (admin.role, admin.is_active) == ("admin", True)


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_remove_one_another_leave_one(make_person):
    pair = [make_person(Role.ADMIN), make_person(Role.ADMIN)]
    gate, refused = threading.Barrier(2), []

    def remove(action):
        gate.wait()
        try:
            action()
        except UserError as error:
            refused.append(str(error))
        finally:
            connection.close()

    actions = [
        lambda: change_role(person=pair[0], role=Role.REVIEWER),
        lambda: deactivate_person(person=pair[1]),
    ]
    threads = [threading.Thread(target=remove, args=[action]) for action in actions]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(refused) == 1
    assert Person.objects.filter(role=Role.ADMIN, is_active=True).count() == 1


def test_a_role_is_changed(client, admin, make_person):
    person = make_person()
    client.force_login(admin)
    assert client.post(f"/people/{person.pk}/role/", {"role": "king"}).status_code == 422
    client.post(f"/people/{person.pk}/role/", {"role": "reviewer"})
    person.refresh_from_db()
    assert person.role == "reviewer"


def test_make_admin_begins_an_installation(client, db, capsys, sign_in, signed_in):
    call_command("make_admin", "First@Example.org", site="https://lab.example.org/")
    address = capsys.readouterr().out.split()[-1]
    assert address.startswith("https://lab.example.org/reset/")
    client.post(address.removeprefix("https://lab.example.org"), {"password": NEW})
    sign_in("first@example.org", NEW)
    assert signed_in()
    assert client.get("/people/").status_code == 200


def test_make_admin_promotes_somebody_who_is_here(make_person):
    person = make_person(Role.REVIEWER)
    call_command("make_admin", person.email)
    person.refresh_from_db()
    assert person.role == "admin"
    assert person.check_password("seven-Wet-otters")


def test_a_person_changes_their_name(client, make_person):
    person = make_person()
    client.force_login(person)
    client.post("/account/", {"name": " Ada "})
    person.refresh_from_db()
    assert person.name == "Ada"


def test_nobody_certifies_themselves(client, admin, make_person):
    with pytest.raises(UserError, match="Somebody else"):
        set_credential(person=admin, name="md", by=admin)
    client.force_login(admin)
    client.post(f"/people/{admin.pk}/credentials/", {"name": "md"})
    assert not admin.credentials.exists()
    assert set_credential(person=admin, name="md", by=make_person(Role.ADMIN)).person == admin
