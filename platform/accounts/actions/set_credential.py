from datetime import date

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from accounts.fields import CredentialFields
from accounts.models import Credential, Person
from foundation.errors import UserError
from foundation.options import validate_options


@audited
@transaction.atomic
def set_credential(
    *, person: Person, name: str, evidence: str = "", expires_on: date | None = None, by: Person | None = None
) -> Credential:
    """Say that `by`, who is somebody else, saw that the person holds a credential, such as `md` or `mimic-iii`.

    A second call renews it.
    """
    said = validate_options(CredentialFields, {"name": name, "evidence": evidence})
    if by == person:
        raise UserError("Somebody else must verify your credentials.", where="person")
    given = {"evidence": said.evidence, "verified_by": by, "verified_at": timezone.now(), "expires_on": expires_on}
    return Credential.objects.update_or_create(person=person, name=said.name, defaults=given)[0]
