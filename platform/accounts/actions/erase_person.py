from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from accounts.models import AccessLink, Person
from accounts.privacy import erase_in_audit_log, erase_stored_copies, identity_pattern, person_erased
from accounts.roles import lock_admins
from foundation.errors import UserError


@audited
@transaction.atomic
def erase_person(*, person: Person, by: Person | None = None) -> Person:
    """Take a person's identity away for good; the data they made stay, under their pseudonym.

    Their address, name, languages, topics, credentials, tokens and sign-ins go, and their name and address are taken
    out of comments, logs and the audit log. Nobody can bring them back.
    """
    if person.erased_at:
        raise UserError("This person is already erased.")
    if lock_admins() == [person.pk]:
        raise UserError("This is the last admin; make another person an admin first.")
    pattern, email = identity_pattern(person), person.email
    _close_ways_in(person)
    AccessLink.objects.filter(email__iexact=email).update(email="")
    erase_in_audit_log(pattern)
    person_erased.send(sender=Person, person=person, pattern=pattern)
    erase_stored_copies.send(
        sender=Person, erase=lambda: person_erased.send(sender=Person, person=person, pattern=pattern)
    )
    return _blank(person)


def _close_ways_in(person: Person) -> None:
    for mine in (person.tokens, person.credentials, person.access_links, person.table_views):
        mine.all().delete()
    for model in (Authenticator, SocialAccount, EmailAddress):
        model.objects.filter(user=person).delete()


def _blank(person: Person) -> Person:
    person.email, person.name = f"{person.pseudonym.hex}@erased.invalid", ""
    person.languages, person.topics, person.interface_language = [], [], ""
    person.set_unusable_password()
    person.is_active, person.erased_at, person.last_login = False, timezone.now(), None
    person.save()
    return person
