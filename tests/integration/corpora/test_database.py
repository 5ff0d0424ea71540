"""Rows through COPY, and what the database knows of a table that got many."""

import pytest
from django.db import connection, transaction
from support import campaigns as make

from corpora.database import MANY, array_text, copy_rows
from corpora.models import HeldOutText

pytestmark = pytest.mark.django_db(transaction=True)


def known():
    """How many rows the planner thinks that there are."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'corpora_heldouttext'")
        return cursor.fetchone()[0]


def write(study, first, count, **more):
    rows = ((study.pk, 1, "test", number) for number in range(first, first + count))
    with transaction.atomic():
        copy_rows(HeldOutText, ["study", "release", "split", "key"], rows, **more)


def test_a_table_that_got_many_rows_is_counted_at_once():
    study = make.study(items=1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE corpora_heldouttext")
    write(study, 0, 10)
    assert known() == 0, "few are left to the server"
    write(study, 10, MANY)
    assert known() == MANY + 10
    with connection.cursor() as cursor:
        cursor.execute("SELECT n_distinct FROM pg_stats WHERE tablename = 'corpora_heldouttext' AND attname = 'key'")
        assert cursor.fetchone() == (-1,), "a part of the rows says that each key is another"
        assert cursor.execute("SHOW default_statistics_target").fetchone() == ("100",), "for this count alone"


def test_what_is_written_in_batches_is_left_to_be_counted_at_their_end():
    study = make.study(items=1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE corpora_heldouttext")
    write(study, 0, MANY, counted=False)
    assert known() == 0


def test_an_array_comes_back_as_it_was():
    with connection.cursor() as cursor:
        for numbers in ([], [3], [2, 0, -1]):
            assert cursor.execute("SELECT %s::integer[]", [array_text(numbers)]).fetchone()[0] == numbers
