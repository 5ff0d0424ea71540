"""Simplified Chinese."""

MONTH_DAY_FORMAT = "n月j日"
NUMBER_GROUPING = 3
MONTH_DAY_TIME_FORMAT = "n月j日 H:i"
SECONDS_FORMAT = "Y年n月j日 H:i:s"
