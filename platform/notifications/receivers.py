"""Receivers of the signals of accounts: all notifications of a person who was erased are forgotten."""

from typing import Any

from django.dispatch import receiver

from accounts.models import Person
from accounts.privacy import person_erased
from notifications.models import NotificationLedger


@receiver(person_erased, dispatch_uid="notifications.forget")
def forget(sender: Any, person: Person, pattern: str, **kwargs: Any) -> None:
    NotificationLedger.objects.filter(person=person).delete()
