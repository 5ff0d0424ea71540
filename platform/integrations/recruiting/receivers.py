"""The receiver of the signal of accounts: the ids that a crowd site gave to somebody who was erased are forgotten."""

from typing import Any

from django.dispatch import receiver

from accounts.models import Person
from accounts.privacy import erase_words, person_erased
from integrations.recruiting.models import Order, Submission


@receiver(person_erased, dispatch_uid="recruiting.forget")
def forget(sender: Any, person: Person, pattern: str, **kwargs: Any) -> None:
    Submission.objects.filter(participant__person=person).update(external_id="", person_id_there="")
    erase_words(Order, ["arguments", "error"], pattern)
