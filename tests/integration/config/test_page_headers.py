"""What every answer says to browsers, and what the log says of a name that is not the site's."""

import logging
import logging.config

import pytest
from django.test import Client


def test_a_page_may_use_no_device():
    said = Client().get("/health/live")["Permissions-Policy"]
    assert "camera=()" in said
    assert "geolocation=()" in said


@pytest.mark.parametrize("host", ["evil.example", "a b<>", "x" * 3000])
def test_a_wrong_name_is_one_line_of_the_log(settings, capsys, host):
    settings.ALLOWED_HOSTS = ["good.example"]
    before, level = [*logging.root.handlers], logging.root.level
    logging.config.dictConfig(settings.LOGGING)
    try:
        assert Client(raise_request_exception=False).get("/", HTTP_HOST=host).status_code == 400
    finally:
        logging.root.handlers = before
        logging.root.setLevel(level)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    assert " GET / 400 " in lines[0]
