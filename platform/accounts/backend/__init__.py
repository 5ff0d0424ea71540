"""The person of a session: every request asks for them once, so a prepared statement does it."""

from functools import cache
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from accounts.database.prepared_statements import fetch_one, instance_from_row, select_columns
from accounts.models import Person


class People(AuthenticationBackend):
    """Signing in is allauth's."""

    def get_user(self, user_id: Any) -> Person | None:
        row = fetch_one(_statement(), {"person": user_id})
        person = instance_from_row(Person, row) if row else None
        return person if person and self.user_can_authenticate(person) else None


@cache
def _statement() -> str:
    return f"SELECT {select_columns(Person, 'p')} FROM accounts_person p WHERE p.id = %(person)s"  # noqa: S608
