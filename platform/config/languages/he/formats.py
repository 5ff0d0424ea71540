"""Hebrew."""

NUMBER_GROUPING = 3
MONTH_DAY_TIME_FORMAT = r"j בF, H:i"
SECONDS_FORMAT = "d/m/Y H:i:s"
