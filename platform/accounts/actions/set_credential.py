from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from accounts.audit import audited
from accounts.models import Credential, Person
from foundation.errors import UserError


@audited
@transaction.atomic
def set_credential(
    *, person: Person, name: str, evidence: str = "", expires_on: date | None = None, by: Person | None = None
) -> Credential:
    """Say that `by`, who is somebody else, saw that the person holds a credential, such as `md` or `mimic-iii`.

    A second call renews it.
    """
    short = slugify(name)[:60]
    if not short:
        raise UserError("A credential needs a short name, such as md or mimic-iii.", where="name")
    if by == person:
        raise UserError("Somebody else must verify your credentials.", where="person")
    given = {"evidence": evidence.strip(), "verified_by": by, "verified_at": timezone.now(), "expires_on": expires_on}
    return Credential.objects.update_or_create(person=person, name=short, defaults=given)[0]
