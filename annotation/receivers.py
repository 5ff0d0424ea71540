"""The reactions of this app to events in others: a person is erased, splits are made."""

import re
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import connection
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from accounts.models import Person
from accounts.privacy import ERASED, SHORTEST, erase_in_audit_log, erase_words, person_erased
from annotation.engine.assignment_queue import free_leases_of
from annotation.engine.leases_ahead import give_back_all
from annotation.models import Answer, CampaignMembership, CrowdParticipant, DeviceUse, Draft, Review
from corpora.models import Membership, Study
from corpora.trash import before_split
from foundation.errors import UserError


@receiver(before_split, dispatch_uid="annotation.frozen_splits")
def refuse_frozen(sender: Any, study: Study, **kwargs: Any) -> bool:
    """Splits are frozen once a release was made of them; the database refuses as well.

    Documents that came later may get one, which the answer says, unless the release was of documents without splits:
    those are all in test.
    """
    if not study.releases.exists():
        return False
    late = study.documents.filter(split="").exists()
    if not late or not study.documents.exclude(split="").exists():
        raise UserError("The splits are frozen, since a release was made of them.", where="rule")
    return True


# Leases of somebody who is gone (removed from a study, deactivated or erased) are free at once.


@receiver(post_delete, sender=Membership, dispatch_uid="annotation.free_removed")
def free_of_removed(sender: Any, instance: Membership, **kwargs: Any) -> None:
    free_leases_of(instance.person_id, instance.study_id)


@receiver(post_save, sender=Person, dispatch_uid="annotation.free_inactive")
def free_of_inactive(sender: Any, instance: Person, created: bool, **kwargs: Any) -> None:
    """Erasing deactivates too."""
    if not instance.is_active and not created:
        free_leases_of(instance.pk)


NOTES = """
UPDATE annotation_answer
SET content = jsonb_set(content, '{note}', to_jsonb(regexp_replace(content ->> 'note', %(pattern)s, %(erased)s, 'gi')))
WHERE content ->> 'note' ~* %(pattern)s
"""


@receiver(person_erased, dispatch_uid="annotation.forget")
def forget(sender: Any, person: Person, pattern: str, **kwargs: Any) -> None:
    """Remove their name from comments; texts that they wrote as work stay, since these are the data."""
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
    """The pattern of their name and address, the ids that a crowd site gave them, and a code that was theirs alone."""
    participants = CrowdParticipant.objects.filter(person=person)
    known = [
        *participants.values_list("external_id", "session_id"),
        *participants.filter(has_fixed_code=False).values_list("code"),
    ]
    ids = {word for row in known for word in row if len(word) >= SHORTEST}
    return "|".join([pattern, rf"\m({'|'.join(map(re.escape, sorted(ids)))})(?!\w)"]) if ids else pattern


@receiver(user_logged_out, dispatch_uid="annotation.give_back_ahead")
def give_back_on_sign_out(sender: Any, user: Any, **kwargs: Any) -> None:
    """Nothing where nobody was signed in."""
    if user is not None:
        give_back_all(user.pk)
