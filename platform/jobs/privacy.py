"""What jobs do when something happens in the room below."""

from typing import Any

from django.dispatch import receiver

from accounts.privacy import erase_words, person_erased
from jobs.models import Job


@receiver(person_erased, dispatch_uid="jobs.forget")
def forget(sender: Any, pattern: str, **kwargs: Any) -> None:
    """Logs and errors no longer name who was erased."""
    erase_words(Job, ["title", "log", "error", "told", "warning"], pattern)
