"""Arabic: 24 hours, and the digits and the decimal point of the tables of papers, as browsers write `ar-u-nu-latn`.

The right-to-left marks keep the day first for who reads from the right.
"""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y، H:i"
SHORT_DATE_FORMAT = "d\u200f/m\u200f/Y"
SHORT_DATETIME_FORMAT = "d\u200f/m\u200f/Y، H:i"
MONTH_DAY_FORMAT = "j F"
TIME_FORMAT = "H:i"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
MONTH_DAY_TIME_FORMAT = "j F، H:i"
SECONDS_FORMAT = "d\u200f/m\u200f/Y H:i:s"
