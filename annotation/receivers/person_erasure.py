"""What this room forgets of a person who was erased: the words that name them, and the id of their crowd site."""

import re
from typing import Any

from django.db import connection
from django.dispatch import receiver

from accounts.models import Person
from accounts.privacy.erasure import ERASED, SHORTEST, erase_in_audit_log, erase_words
from accounts.privacy.signals import person_erased
from annotation.models import Answer, CampaignMembership, CrowdParticipant, DeviceUse, Draft, Review

NOTES = """
UPDATE annotation_answer
SET content = jsonb_set(content, '{note}', to_jsonb(regexp_replace(content ->> 'note', %(pattern)s, %(erased)s, 'gi')))
WHERE content ->> 'note' ~* %(pattern)s
"""


@receiver(person_erased, dispatch_uid="annotation.forget")
def forget(sender: Any, person: Person, pattern: str, **kwargs: Any) -> None:
    """Comments lose their name; what they wrote as work stays, since it is the data."""
    pattern = _with_ids(person, pattern)
    erase_in_audit_log(pattern)
    erase_words(Review, ["comment", "reply"], pattern)
    erase_words(Answer, ["content"], pattern, where="outcome <> 'answered'")
    with connection.cursor() as cursor:
        cursor.execute(NOTES, {"pattern": pattern, "erased": ERASED})
    erase_words(CampaignMembership, ["reason"], pattern)
    Draft.objects.filter(person=person).delete()
    DeviceUse.objects.filter(person=person).delete()
    CrowdParticipant.objects.filter(person=person).update(external_id="", session_id="", browser="", code="", reason="")


def _with_ids(person: Person, pattern: str) -> str:
    """What finds their name and address, the ids that a crowd site gave them, and a code that was theirs alone."""
    participants = CrowdParticipant.objects.filter(person=person)
    known = [
        *participants.values_list("external_id", "session_id"),
        *participants.filter(has_fixed_code=False).values_list("code"),
    ]
    ids = {word for row in known for word in row if len(word) >= SHORTEST}
    return "|".join([pattern, rf"\m({'|'.join(map(re.escape, sorted(ids)))})(?!\w)"]) if ids else pattern
