"""The digest: things that wait for a person and were not told yet, in one mail, at most one in 24 hours."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from accounts.models import CROWD, Person
from integrations.events.publishing import publish
from notifications.kinds import KINDS, Waiting
from notifications.models import NotificationLedger

EVERY = timedelta(hours=24)
log = logging.getLogger(__name__)


def send_due_digests() -> int:
    """Send the digests that are due; how many mails went out."""
    if not settings.HAS_MAIL_SERVER:
        return 0
    publish()
    people = Person.objects.filter(is_active=True, erased_at=None).exclude(email__endswith=CROWD)
    return sum(send_digest(person) for person in people.order_by("pk").iterator(500))


def send_digest(person: Person) -> bool:
    """Tell the person what is new, where a mail is due. Things that wait at the first look are no news."""
    ledger, first = NotificationLedger.objects.get_or_create(person=person)
    with translation.override(person.interface_language or settings.LANGUAGE_CODE):
        found = list(_found(person, ledger))
        there = [one.key for one in found]
        if first or ledger.looked_at is None:
            _keep(ledger, there)
            return False
        new = [one for one in found if one.key not in set(ledger.told)]
        if not new:
            _keep(ledger, there)
            return False
        if not _claim(ledger):
            return False
        try:
            sent = _mail(person, new)
        except (SMTPException, OSError):
            log.exception("The mail server did not take a message.")
            NotificationLedger.objects.filter(pk=ledger.pk).update(claimed_at=ledger.claimed_at)
            return False
        _keep(ledger, there)
        return sent


def _found(person: Person, ledger: NotificationLedger) -> Iterator[Waiting]:
    for kind in KINDS:
        if kind.name not in ledger.unwanted:
            yield from kind.find(person)


def _keep(ledger: NotificationLedger, told: list[str]) -> None:
    if told != ledger.told or ledger.looked_at is None:
        NotificationLedger.objects.filter(pk=ledger.pk).update(told=told, looked_at=timezone.now())


def _claim(ledger: NotificationLedger) -> bool:
    """Whether this process sends it: one among those that look at once, and none where a digest was begun today."""
    now = timezone.now()
    due = Q(claimed_at=None) | Q(claimed_at__lte=now - EVERY)
    return bool(NotificationLedger.objects.filter(due, pk=ledger.pk).update(claimed_at=now))


def _mail(person: Person, new: list[Waiting]) -> bool:
    subject = ngettext("Restyle: {n} thing waits for you", "Restyle: {n} things wait for you", len(new))
    context = {
        "name": person.name, "site": settings.SITE_URL, "choose": settings.SITE_URL + reverse("notifications"),
        "waiting": [(one.text, settings.SITE_URL + one.path) for one in new],
    }  # fmt: skip
    body = render_to_string("notifications/digest.txt", context)
    return bool(send_mail(subject.format(n=len(new)), body, None, [person.email]))
