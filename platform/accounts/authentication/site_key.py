"""One site, one SECRET_KEY: a process that has another one refuses to start.

It would start without a word, and then know no session, no lease and no link of the others, nor they of it.
"""

import logging
import sys
import time
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import DatabaseError, ProgrammingError, connection
from django.utils.crypto import get_random_string

from accounts.models import SiteKey
from foundation.errors import UserError

ITERATIONS = 100_000  # tens of milliseconds, once a process
PATIENCE = 60.0  # seconds that a process waits at its start for a database that does not answer
OTHER = (
    "SECRET_KEY is another one than the site's: sessions, leases and links would break. Give this process the site's "
    "key, or run `manage.py rotate_key` where it was changed on purpose."
)


def slow_digest(key: str) -> str:
    """Slow, salted, and not to be led back to the key."""
    return PBKDF2PasswordHasher().encode(key, get_random_string(22), ITERATIONS)


def fits(key: str, digest: str) -> bool:
    return PBKDF2PasswordHasher().verify(key, digest)


def require_site_key() -> None:
    """Raise UserError where this process's SECRET_KEY is not the site's, which a site's first process says."""
    kept = SiteKey.objects.filter(pk=1).first()
    if kept is None:
        SiteKey.objects.bulk_create([SiteKey(digest=slow_digest(settings.SECRET_KEY))], ignore_conflicts=True)
        kept = SiteKey.objects.get(pk=1)
    if not fits(settings.SECRET_KEY, kept.digest):
        raise UserError(OTHER)


def require_site_key_at_start(*_: Any, **__: Any) -> None:
    """For servers and workers: end the process where its key is not the site's.

    A database that is away is waited for; one without tables has no site yet.
    """
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return require_site_key()
        except UserError as error:
            sys.stderr.write(f"{error}\n")
            sys.exit(1)
        except ProgrammingError:  # no migration was run yet: there is no site whose key it could be
            return None
        except DatabaseError as error:
            if time.monotonic() > give_up:
                sys.stderr.write(f"The database does not answer: {error}\n")
                sys.exit(1)
            logging.getLogger(__name__).warning("The database does not answer yet.")
            time.sleep(1)
        finally:
            connection.close()
            connection.close_pool()  # a worker forks after this
