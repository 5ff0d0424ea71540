"""German."""

MONTH_DAY_TIME_FORMAT = "j. F, H:i"
SECONDS_FORMAT = "d.m.Y H:i:s"
