"""What each line of a log has and has not. Read with the settings, before any app is there."""

import logging
from contextvars import ContextVar

NOBODY = "-"
REQUEST: ContextVar[str] = ContextVar("request_id", default=NOBODY)
"""The id of the request that this thread answers."""


class OneLine(logging.Filter):
    """Gives a line its request's id, and leaves out what Django says of a refusal besides the line of the request."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST.get()
        if record.name.startswith("django.security"):
            record.exc_info = record.exc_text = None  # a refusal, not an error of the program
        if record.name == "django.request":
            if getattr(record, "status_code", 500) < 500:
                return False
            _say_where(record)
        return record.name != "django.security.csrf"


def _say_where(record: logging.LogRecord) -> None:
    """An address may hold the secret of a link, which no line shows."""
    from config.logs.requests import safe_path

    request = getattr(record, "request", None)
    record.msg, record.args = "The program made an error at %s", (safe_path(request) if request else NOBODY,)
