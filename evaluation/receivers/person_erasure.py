"""What this room forgets of a person who was erased: the words that name them, in a reason why somebody is left out."""

from typing import Any

from django.dispatch import receiver

from accounts.models import Person
from accounts.privacy.erasure import erase_words
from accounts.privacy.signals import person_erased
from evaluation.models import HumanStudy


@receiver(person_erased, dispatch_uid="evaluation.forget")
def forget(sender: Any, person: Person, pattern: str, **kwargs: Any) -> None:
    erase_words(HumanStudy, ["excluded"], pattern)
