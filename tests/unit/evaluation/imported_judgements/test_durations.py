"""Durations and moments as tools write them."""

import pytest

from evaluation.imported_judgements.columns import Moments, NoTime, duration


@pytest.mark.parametrize(("text", "seconds"), [
    ("12.5", 12.5), ("1:30", 90.0), ("01:00:01", 3601.0), ("Time spent: 0d 0h 1m 5s ", 65.0), ("", None), (" 7,5", 7.5),
    ("5min 3sec", 303.0), ("2 h", 7200.0),
])  # fmt: skip
def test_times_are_read_as_seconds(text, seconds):
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["soon", "1,234", "5 s or 7 s", "-3", "1711787940000", "1" * 5000 + "h"])
def test_what_may_be_two_times_is_none(text):
    with pytest.raises(NoTime):
        duration(text)


@pytest.mark.parametrize(("begun", "ended", "seconds"), [
    ("2025-03-30T01:59:00+01:00", "2025-03-30T03:01:00+02:00", 120.0),  # over the change to summer time
    ("03/04/2025 10:00", "03/04/2025 10:01", 60.0),
    ("13.04.2025 10:00", "13.04.2025 10:02", 120.0),
    ("13.04.25 10:00:05", "13.04.25 10:00:06", 1.0),
    ("4/13/2025 11:59:30 PM", "4/14/2025 12:00:10 AM", 40.0),
    ("1711787940000", "1711787999000", 59.0),
    ("1711787940.5", "1711787999", 58.5),
    ("Thu Mar 27 10:00:00 PDT 2025", "Thu Mar 27 10:01:00 PDT 2025", 60.0),
])  # fmt: skip
def test_moments_of_any_tool_are_read(begun, ended, seconds):
    assert Moments([begun, ended]).seconds_between(begun, ended) == seconds


def test_the_whole_table_says_which_of_day_and_month_stands_first():
    night = "03/04/2025 23:59", "04/04/2025 00:01"
    assert Moments([*night, "30/03/2025 10:00"]).seconds_between(*night) == 120.0
    assert Moments([*night, "03/30/2025 10:00"]).seconds_between(*night) == 31 * 86400 - 86280
    assert Moments(night).seconds_between(*night) is None
    assert Moments(night, "day").seconds_between(*night) == 120.0
    assert Moments(["30/03/2025", "03/30/2025"]).contradict


@pytest.mark.parametrize(("begun", "ended"), [
    ("2025-03-30", "yesterday"), ("2025-03-30 10:00", "2025-03-30 09:00"), ("30/30/2025", "30/30/2025"),
])  # fmt: skip
def test_a_moment_that_is_none_is_refused(begun, ended):
    with pytest.raises(NoTime):
        Moments([begun, ended]).seconds_between(begun, ended)
