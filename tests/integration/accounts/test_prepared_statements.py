"""Statements by hand give the very objects that the ORM gives, and behave as its statements do."""

import pytest
from django.db import DataError, connection, transaction
from support import campaigns as make

from accounts.backend import People
from accounts.database.prepared_statements import fetch_one, instance_from_row, select_columns
from accounts.models import Person
from accounts.permissions import Role
from corpora.models import Study

pytestmark = pytest.mark.django_db


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_person_is_the_same_by_either_way():
    who = make.person(name="Zoë")
    assert values(People().get_user(who.pk)) == values(Person.objects.get(pk=who.pk))


def test_who_left_has_no_session_any_more():
    who = make.person(is_active=False)
    assert People().get_user(who.pk) is None
    assert People().get_user(who.pk + 1) is None


def test_a_study_comes_with_the_role_of_a_member_and_none_of_a_stranger():
    study, stranger = make.study(), make.person()
    member = make.person(Role.REVIEWER, study)
    assert Study.with_role(study.slug, member).role_of(member) == Role.REVIEWER
    assert Study.with_role(study.slug, stranger).role_of(stranger) is None
    assert Study.with_role("no-such-study", member) is None


def test_what_is_large_comes_when_it_is_asked_for():
    study = make.study()
    Study.objects.filter(pk=study.pk).update(declared={"study": {"title": "Texts"}})
    found = Study.with_role(study.slug, make.person())
    assert "declared" not in found.__dict__
    assert found.declared == {"study": {"title": "Texts"}}
    assert values(found) == values(Study.objects.get(pk=study.pk))


def test_the_database_keeps_the_statement_prepared():
    statement = "SELECT %(a)s::int + %(a)s::int AS twice"
    assert [fetch_one(statement, {"a": number}) for number in (2, 3)] == [(4,), (6,)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%AS twice'")
        assert cursor.fetchone() == (1,)


def test_an_error_is_djangos_and_ends_with_its_savepoint():
    with pytest.raises(DataError), transaction.atomic():
        fetch_one("SELECT 1 / %(zero)s::int", {"zero": 0})
    assert fetch_one("SELECT 1", {}) == (1,)


def test_values_are_never_part_of_the_statement():
    hostile = "'; DROP TABLE accounts_person; --"
    assert fetch_one("SELECT %(text)s::text", {"text": hostile}) == (hostile,)


def test_columns_and_object_leave_out_the_same():
    without = frozenset({"name"})
    assert '"name"' not in select_columns(Person, "p", without=without)
    who = make.person(name="Zoë")
    chosen = select_columns(Person, "p", without=without)
    row = fetch_one(f"SELECT {chosen} FROM accounts_person p WHERE id = {who.pk}", {})  # noqa: S608
    assert instance_from_row(Person, row, without=without).get_deferred_fields() == {"name"}
