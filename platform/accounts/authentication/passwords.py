"""The rules of passwords, as one sentence, and what ends with an old one."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.models import Person
from foundation.errors import UserError


def check_password_rules(password: str, person: Person) -> None:
    """Raise UserError with every rule that `password` breaks."""
    try:
        validate_password(password, person)
    except ValidationError as error:
        raise UserError(" ".join(error.messages), where="Password") from error


def renew_password(person: Person, password: str | None) -> Person:
    """Give them another password (None: none that anybody knows). All that was let in before is shut out.

    Whoever learnt the old one may have made tokens with it. Sessions end by themselves: they carry a digest of the
    password under which they were begun.
    """
    person.set_password(password)
    person.save(update_fields=["password"])
    end_tokens(person)
    return person


def end_tokens(person: Person) -> None:
    """Delete their tokens, and the links with which they could choose a password."""
    person.tokens.all().delete()
    person.access_links.filter(used_at__isnull=True).delete()
