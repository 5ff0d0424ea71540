"""A connection of the pool is looked at before it is lent, without a question to the database."""

import os

import psycopg
import pytest

from accounts.database.postgresql.living_connections import check_connection

pytestmark = pytest.mark.django_db
LAST_QUESTION = "SELECT query_start FROM pg_stat_activity WHERE pid = %s"


@pytest.fixture
def connection():
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as opened:
        yield opened


@pytest.fixture
def other():
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as opened:
        yield opened


def last_question(other, connection):
    return other.execute(LAST_QUESTION, [connection.info.backend_pid]).fetchone()[0]


def test_one_that_lives_is_asked_once_and_then_looked_at(connection, other):
    check_connection(connection)
    asked = last_question(other, connection)
    assert asked is not None
    for _ in range(3):
        check_connection(connection)
    assert last_question(other, connection) == asked


def test_one_that_the_server_ended_is_told(connection, other):
    check_connection(connection)
    waits_for_its_end = "SELECT pg_terminate_backend(%s, 60000)"
    assert other.execute(waits_for_its_end, [connection.info.backend_pid]).fetchone()[0]
    with pytest.raises(psycopg.OperationalError):
        check_connection(connection)


def test_the_pool_of_the_site_looks_so():
    from django.db import connection as of_the_site

    assert of_the_site.pool._check is check_connection
