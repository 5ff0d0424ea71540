"""The contents of each line of a log. Read with the settings, before any app is there."""

import logging
from contextvars import ContextVar

NOBODY = "-"
AWAY = 503  # the database or the queue is, or a probe said so: no error of the program
REQUEST: ContextVar[str] = ContextVar("request_id", default=NOBODY)
"""The id of the request that this thread answers."""


class OneLine(logging.Filter):
    """Gives a line its request's id, and leaves out Django's lines about a refusal that the request's line has too."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST.get()
        if record.name.startswith("django.security"):
            record.exc_info = record.exc_text = None  # a refusal, not an error of the program
        if record.name == "django.request":
            status = getattr(record, "status_code", 500)
            if status < 500 or (status == AWAY and not record.exc_info):
                return False
            _say_where(record, away=status == AWAY)
        return record.name != "django.security.csrf"


def _say_where(record: logging.LogRecord, *, away: bool) -> None:
    """Name the address without the secret that a link may hold; if a server is `away`, add the cause on one line."""
    from logs.safe_path import safe_path  # it needs the apps, which need the settings, which need this

    request = getattr(record, "request", None)
    where = safe_path(request) if request else NOBODY
    if away and record.exc_info:
        record.msg, record.args = "Not there for %s: %s", (where, " ".join(str(record.exc_info[1]).split()))
        record.exc_info = record.exc_text = None
    else:
        record.msg, record.args = "The program made an error at %s", (where,)
