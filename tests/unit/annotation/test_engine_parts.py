"""The parts of the engine that need no database."""

from uuid import UUID, uuid4

import pytest

from annotation.actions.skip_item import COMMENT, plain
from annotation.actions.submit_answer import clean_seconds
from annotation.engine.leases import lease_given, lease_kept, new_lease
from foundation.errors import UserError


def test_a_lease_proves_itself_to_its_person_campaign_and_slot_only():
    lease = new_lease(3, 7)
    given = lease_given(lease, 3, 7, 5)
    assert lease_kept(given, 3, 7, 5) == lease
    assert {lease_kept(given, *other) for other in ((7, 3, 5), (3, 8, 5), (3, 7, 6), (5, 7, 3))} == {None}
    assert {lease_kept(forged, 3, 7, 5) for forged in (lease, uuid4(), UUID(bytes=lease.bytes[:8] + bytes(8)))} == {
        None
    }
    assert new_lease(3, 7) != lease


def test_a_comment_loses_what_no_page_should_hold():
    assert plain("  fine\nline\x00\x07\ud800 \u202e ") == "fine\nline"
    with pytest.raises(UserError, match="at most 2000 characters"):
        COMMENT.check("x" * 2001)


def test_seconds_that_cannot_be_are_left_out():
    assert clean_seconds(4.5) == 4.5
    assert [clean_seconds(wrong) for wrong in (None, -1.0, float("nan"), float("inf"), 1e9)] == [None] * 5
