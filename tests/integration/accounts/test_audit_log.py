"""The audit log: every action leaves a row with who did it, and none repeats a text, an address or a secret."""

import importlib
import pkgutil
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as made

from accounts import actions
from accounts.actions.change_role import change_role
from accounts.actions.invite_person import invite_person
from accounts.audit import audited, set_acting_person
from accounts.models import AuditEntry
from accounts.permissions import Can, Role
from accounts.permissions.actions import NEEDS
from corpora.models import Study
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_acts():
    set_acting_person(None)
    yield
    set_acting_person(None)


def test_a_change_leaves_a_row_in_the_name_of_who_made_it():
    admin, other = made.person(Role.ADMIN), made.person(Role.REVIEWER)
    set_acting_person(admin)
    change_role(person=other, role="researcher")
    row = AuditEntry.objects.get()
    assert (row.person, row.action, row.target) == (admin, "change_role", f"person {other.pk}")
    assert row.details == {"role": "researcher"}


def test_by_is_who_acted():
    admin = made.person(Role.ADMIN)
    invite_person(email="new@example.org", role="reviewer", by=admin)
    row = AuditEntry.objects.get()
    assert row.person == admin
    assert "new@example.org" not in str((row.target, row.details))


def test_what_was_refused_leaves_no_row():
    admin = made.person(Role.ADMIN)
    with pytest.raises(UserError):
        change_role(person=admin, role="reviewer")
    assert not AuditEntry.objects.exists()


def test_what_an_action_takes_as_further_fields_is_named(monkeypatch):
    monkeypatch.setitem(NEEDS, "change", Can.EDIT_STUDY)

    @audited
    def change(*, study: Study, by: Any, **fields: Any) -> None:
        """Take them."""

    change(study=made.study(), by=None, overlap=3, name="First", systems=[1, 2])
    assert AuditEntry.objects.get(action="change").details == {"overlap": 3, "name": "First", "systems": "2"}


def test_what_is_removed_is_named_and_belongs_to_its_study(monkeypatch):
    study = made.study()
    monkeypatch.setitem(NEEDS, "remove", Can.EDIT_STUDY)

    @audited
    def remove(*, study: Study) -> None:
        study.delete()

    remove(study=study)
    row = AuditEntry.objects.get(action="remove")
    assert row.study_slug == study.slug
    assert study.slug in row.target


def test_a_page_acts_in_the_name_of_who_is_signed_in():
    admin, other = made.person(Role.ADMIN), made.person(Role.REVIEWER)
    client = Client()
    client.force_login(admin)
    client.post(reverse("person_role", args=[other.pk]), {"role": "researcher"})
    assert AuditEntry.objects.get(action="change_role").person == admin


OWN_VIEW = {"keep_table_view"}  # how somebody sees a table: a record of its own that only they see


@pytest.mark.parametrize("name", sorted({one.name for one in pkgutil.iter_modules(actions.__path__)} - OWN_VIEW))
def test_every_action_is_recorded(name):
    action = getattr(importlib.import_module(f"accounts.actions.{name}"), name)
    assert hasattr(action, "__wrapped__")
    assert action.__code__.co_filename.endswith("accounts/audit.py")
