"""What the trail reads of a row before and after an action: as Django reads it, at a part of what that costs."""

import sys
from types import FrameType
from typing import Any

import pytest
from django.db import models
from support import campaigns as made

from accounts.audit import changes_since, snapshot_rows
from accounts.permissions import Role

pytestmark = pytest.mark.django_db
MOST_CALLS = 700  # of functions, Python's and its modules', in reading one row; Django's own way took 2,000


def as_django_reads(one: models.Model, names: Any) -> dict[str, Any]:
    return type(one)._base_manager.filter(pk=one.pk).values(*names).get()


def test_a_row_is_what_django_reads_of_it():
    study, person = made.study(items=2), made.person(Role.RESEARCHER)
    for one in (study, person, made.campaign(study), study.directions.get()):
        [row] = snapshot_rows([one]).values()
        assert row
        assert row == as_django_reads(one, row)


def test_a_row_that_is_gone_is_none():
    study = made.study()
    before = snapshot_rows([study])
    type(study).objects.filter(pk=study.pk).delete()
    assert snapshot_rows([study]) == {study: {}}
    assert changes_since({study: {}}) == {}
    assert before[study]["slug"] == study.slug


def test_reading_a_row_again_writes_no_statement_anew():
    study = made.study()
    snapshot_rows([study])
    calls = 0

    def count(_frame: FrameType, event: str, _of: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        snapshot_rows([study])
    finally:
        sys.setprofile(None)
    assert calls < MOST_CALLS
