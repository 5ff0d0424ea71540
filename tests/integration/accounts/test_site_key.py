"""A process whose SECRET_KEY is not the site's does not start: it did, and broke leases and sessions without a word."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from accounts.actions.rotate_key import rotate_key
from accounts.authentication import require_site_key
from accounts.models import AuditEntry, SiteKey
from foundation.errors import UserError
from foundation.project import ROOT

ANOTHER = "another-key-" * 5


@pytest.mark.django_db
def test_the_first_process_says_which_key_it_is(settings):
    require_site_key()
    require_site_key()
    kept = SiteKey.objects.get()
    assert settings.SECRET_KEY not in kept.digest
    assert kept.digest.startswith("pbkdf2_sha256$")
    settings.SECRET_KEY = ANOTHER
    with pytest.raises(UserError, match=r"SECRET_KEY differs from the site's key.*rotate_key"):
        require_site_key()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    with pytest.raises(UserError):
        require_site_key()  # it would still sign what the others cannot read


@pytest.mark.django_db
def test_a_key_is_changed_on_purpose(settings, capsys):
    require_site_key()
    old = settings.SECRET_KEY
    settings.SECRET_KEY = ANOTHER
    with pytest.raises(UserError, match="SECRET_KEY_FALLBACKS"):
        rotate_key()
    with pytest.raises(CommandError, match="SECRET_KEY_FALLBACKS"):
        call_command("rotate_key")
    settings.SECRET_KEY_FALLBACKS = [old]
    call_command("rotate_key")
    call_command("rotate_key")
    said = capsys.readouterr().out
    assert "The site has a new key." in said
    assert "This is the site's key already." in said
    require_site_key()
    assert SiteKey.objects.count() == 1
    assert AuditEntry.objects.filter(action="rotate_key").exists()
    settings.SECRET_KEY = old
    with pytest.raises(UserError):
        require_site_key()
    assert rotate_key(forget=True) is True


def started(program: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    there = {**os.environ, "DATABASE_URL": database_url(), **environment}
    return subprocess.run([sys.executable, "-c", program], env=there, cwd=ROOT, capture_output=True, text=True)


def database_url() -> str:
    """Of the tests' own database."""
    base, _, query = os.environ["DATABASE_URL"].partition("?")
    name = settings.DATABASES["default"]["NAME"]
    return f"{base.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")


WEB = "import sys; sys.path[:0] = ['.', 'platform']; import config.wsgi; print('up')"
WORKER = "import sys; sys.path[:0] = ['.', 'platform']; from config.celery import app; " + (
    "from celery.signals import worker_init; import django; django.setup(); worker_init.send(sender=None); print('up')"
)


@pytest.mark.django_db(transaction=True)
def test_neither_web_server_nor_worker_starts_with_another_key():
    require_site_key()
    for program in (WEB, WORKER):
        refused = started(program, SECRET_KEY=ANOTHER)
        assert refused.returncode == 1, refused.stderr
        assert refused.stdout == ""
        assert refused.stderr.splitlines()[-1].startswith("SECRET_KEY differs from the site's key")
        assert "Traceback" not in refused.stderr
