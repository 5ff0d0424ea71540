"""The setting LOGGING: everything to the standard error, one line each, with times and the request's id."""

from typing import Any

LOG_LINE = "%(asctime)s %(levelname)s %(name)s request=%(request_id)s %(message)s"


def logging_configuration(level: str, *, requests: bool) -> dict[str, Any]:
    """Lines from `level` on; with `requests` a line for each request besides."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": LOG_LINE}},
        "filters": {"one_line": {"()": "logs.line_format.OneLine"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["one_line"]},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "NOTSET", "propagate": True},  # Django's own writes lines without times
            # The line of the request says it; without a handler Python's last resort writes it with its traceback.
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
            "restyle.requests": {"level": "INFO" if requests else "WARNING"},
        },
    }
