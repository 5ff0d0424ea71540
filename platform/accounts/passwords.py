"""The rules of passwords, as one sentence."""

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
