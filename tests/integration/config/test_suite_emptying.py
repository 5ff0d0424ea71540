"""The tests' database is emptied behind a test, whoever is still at work on it."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection
from support import campaigns as make
from support.emptying import empty_database
from support.processes import wait_until

from corpora.models import Study

WAITS = "SELECT 1 FROM pg_locks WHERE pid = %s AND NOT granted"
HAS = "SELECT relation::regclass::text FROM pg_locks WHERE pid = %s AND mode = 'AccessExclusiveLock' AND granted"


@pytest.mark.django_db(transaction=True)
def test_a_request_that_wants_what_is_locked_already_ends_before_it(request):
    make.study()
    address = request.getfixturevalue("_processes_environment")["DATABASE_URL"]
    last = connection.introspection.django_table_names(only_existing=True, include_views=False)[-1]
    with connection.cursor() as cursor:
        cursor.execute("SET deadlock_timeout = '2s'")  # after which it is the one that is broken off
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with psycopg.connect(address) as other, ThreadPoolExecutor(1) as pool:
        other.execute("SET deadlock_timeout = '60s'")
        other.execute(f"LOCK TABLE {last} IN ROW EXCLUSIVE MODE")

        def go_on():
            wait_until(lambda: other.execute(WAITS, [pid]).fetchone(), "Nobody waited for the request")
            table, *_ = other.execute(HAS, [pid]).fetchone()
            other.execute(f"LOCK TABLE {table} IN ROW EXCLUSIVE MODE")
            other.commit()

        going_on = pool.submit(go_on)
        empty_database()
        going_on.result()
    with connection.cursor() as cursor:
        cursor.execute("RESET deadlock_timeout")
    assert not Study.objects.exists()
