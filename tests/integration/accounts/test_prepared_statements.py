"""Statements by hand give the very objects that the ORM gives, and behave as its statements do."""

import pytest
from django.db import DataError, connection, transaction
from psycopg import Connection
from support import campaigns as make

from accounts.backend import People
from accounts.database.prepared_statements import (
    fetch_and_commit,
    fetch_one,
    fetch_together,
    instance_from_row,
    select_columns,
)
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


def test_a_statement_is_planned_once_though_few_rows_are_expected_of_its_values():
    """Of somebody with fewer answers than people on average PostgreSQL would plan each answer's statement anew."""
    statement = "SELECT count(*) AS few FROM generate_series(1, %(n)s::int)"
    assert [fetch_one(statement, {"n": 1}) for _ in range(8)] == [(1,)] * 8
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%%AS few FROM%%'"
        )
        assert cursor.fetchone() == (8, 0)


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


HALVES = [("SELECT %(a)s::int / %(b)s::int, 'halves'", {"a": 4, "b": 2}), ("SELECT %(a)s::text", {"a": "both"})]
ADD = """WITH added AS (
    INSERT INTO accounts_credential (person_id, name, evidence, made_at)
    VALUES (%(person)s, %(name)s, '', now()) RETURNING 1)
SELECT count(*) FROM added"""


def test_statements_that_travel_together_have_their_own_rows():
    assert [fetch_together(*HALVES) for _ in range(3)] == [[(2, "halves"), ("both",)]] * 3
    assert fetch_together(("SELECT 1 WHERE %(a)s::int = 2", {"a": 1}), HALVES[1]) == [None, ("both",)]


def test_the_first_that_fails_is_the_error_and_nothing_of_it_is_left():
    fetch_together(*HALVES)
    with pytest.raises(DataError, match="division by zero"), transaction.atomic():
        fetch_together(HALVES[1], (HALVES[0][0], {"a": 1, "b": 0}), HALVES[1])
    assert fetch_together(*HALVES) == [(2, "halves"), ("both",)]


def test_rows_of_a_table_that_was_changed_are_read_by_its_new_columns():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE grown (a int); INSERT INTO grown VALUES (1)")
    asked = "SELECT * FROM grown WHERE %(a)s::int = 1", {"a": 1}
    assert [fetch_one(*asked) for _ in range(2)] == [(1,), (1,)]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE grown ALTER a TYPE text USING 'one', ADD b int DEFAULT 2")
    assert [fetch_one(*asked) for _ in range(2)] == [("one", 2)] * 2


@pytest.mark.django_db(transaction=True)
def test_begin_and_commit_travel_along_and_the_last_word_of_the_database_is_that_it_is_stored(monkeypatch):
    who, waits = make.person(), []
    wait = Connection.wait
    monkeypatch.setattr(Connection, "wait", lambda self, *asked, **said: waits.append(1) or wait(self, *asked, **said))
    fetch_one(ADD, {"person": who.pk, "name": "first"})
    with transaction.atomic():
        with transaction.atomic():
            assert fetch_and_commit((ADD, {"person": who.pk, "name": "not alone"})) == ([(1,)], False)
        waits.clear()
        transaction.set_rollback(True)
    with transaction.atomic():
        waits.clear()
        assert fetch_and_commit((ADD, {"person": who.pk, "name": "second"}), HALVES[1])[1] is False
    with transaction.atomic():
        waits.clear()
        assert fetch_and_commit((ADD, {"person": who.pk, "name": "third"}), HALVES[1]) == ([(1,), ("both",)], True)
        assert len(waits) == 1
        with Connection.connect(connection.connection.info.dsn) as another:
            assert another.execute("SELECT count(*) FROM accounts_credential WHERE name = 'third'").fetchone() == (1,)
    assert sorted(who.credentials.values_list("name", flat=True)) == ["first", "second", "third"]
