"""Spanish."""

DATETIME_FORMAT = r"j \d\e F \d\e Y, H:i"
MONTH_DAY_TIME_FORMAT = r"j \d\e F, H:i"
SECONDS_FORMAT = "d/m/Y H:i:s"
