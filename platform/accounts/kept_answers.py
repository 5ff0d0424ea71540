"""Requests of the API that are done once: one with the same `Idempotency-Key` gets the first one's answer.

The act and its kept answer are one transaction, so a process that dies between them leaves neither. A request with the
key of one that is still being done waits for its end. A refusal is not kept, since it has changed nothing.
"""

import re
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.dispatch import receiver
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import KeptAnswer, Person
from accounts.privacy import erase_words, person_erased
from foundation.errors import UserError

HEADER = "Idempotency-Key"
FORM = re.compile(r"[A-Za-z0-9._:-]{8,64}")
KEPT_FOR = timedelta(days=1)
SECRETS = frozenset({"secret", "url", "link", "completion_code", "screen_out_code"})
"""Fields of answers that nobody may read a second time."""
CLAIM = """
    INSERT INTO accounts_keptanswer (person_id, key, act, body, made_at) VALUES (%s, %s, %s, NULL, now())
    ON CONFLICT (person_id, key) DO NOTHING
"""


class AlreadyDone(Exception):
    """The act of this key was done before; `kept` is its answer."""

    def __init__(self, kept: KeptAnswer) -> None:
        self.kept = kept
        super().__init__(kept.act)


class OneAct:
    """The transaction of a request with a key: begun when it is known who asks, ended with the answer."""

    def __init__(self, key: str, act: str) -> None:
        self.key, self.act = key, act
        self.person: Person | None = None
        self._is_first = False
        self._atomic = transaction.atomic()

    def begin(self, person: Person) -> None:
        """Claim the key; AlreadyDone where it was used for this act, UserError where for another."""
        if not person.is_authenticated:
            raise UserError("{header}: keys are for people who are signed in.", header=HEADER)
        if not FORM.fullmatch(self.key):
            raise UserError(
                "{header}: expected 8 to 64 letters, digits and the signs . _ : -, such as a UUID.", header=HEADER
            )
        self._atomic.__enter__()
        self.person = person
        with connection.cursor() as cursor:
            cursor.execute(CLAIM, [person.pk, self.key, self.act])
            self._is_first = cursor.rowcount == 1
        if self._is_first:
            return
        kept = KeptAnswer.objects.get(person=person, key=self.key)
        if kept.act != self.act:
            raise UserError(
                "{header}: this key was used for {act}; another request needs another key.", header=HEADER, act=kept.act
            )
        raise AlreadyDone(kept)

    def end(self, answer: HttpResponse) -> HttpResponse:
        """Keep the answer and commit, or roll back what a refused or broken request began."""
        if self.person is None:
            return answer
        if answer.status_code >= 400:
            transaction.set_rollback(True)
        elif self._is_first:
            row = KeptAnswer.objects.filter(person=self.person, key=self.key)
            row.update(status=answer.status_code, body=_storable(answer))
        self._atomic.__exit__(None, None, None)
        return answer


def _storable(answer: Any) -> str | None:
    """The body, None of an answer that holds a secret or is no JSON."""
    data = getattr(answer, "data", None)
    if answer.streaming or (isinstance(data, dict) and SECRETS & set(data)):
        return None
    text: str = answer.content.decode()
    return text


def answer_again(kept: KeptAnswer) -> HttpResponse:
    """The kept answer; 409 with a sentence where it held a secret."""
    if kept.body is None:
        sentence = _("This was done already. Its answer held a secret, which is not kept: make another one.")
        return JsonResponse({"detail": sentence}, status=409)
    return HttpResponse(kept.body, status=kept.status, content_type="application/json")


def forget_old_answers() -> int:
    """Remove the answers that were kept for a day; how many."""
    return KeptAnswer.objects.filter(made_at__lt=timezone.now() - KEPT_FOR).delete()[0]


@receiver(person_erased, dispatch_uid="accounts.kept_answers")
def _erase(person: Person, pattern: str, **_kwargs: Any) -> None:
    KeptAnswer.objects.filter(person=person).delete()
    erase_words(KeptAnswer, ["body"], pattern)
