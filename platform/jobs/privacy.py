"""Receivers of the signals of accounts: jobs forget a person who was erased."""

from typing import Any

from django.dispatch import receiver

from accounts.privacy import erase_words, person_erased
from jobs.models import Job


@receiver(person_erased, dispatch_uid="jobs.forget")
def forget(sender: Any, pattern: str, **kwargs: Any) -> None:
    """Erase the person's name and address from titles, logs, errors and warnings."""
    erase_words(Job, ["title", "log", "error", "told", "warning", "awaited"], pattern)
