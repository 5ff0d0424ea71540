"""The author of an answer replies to a reviewer's decision about it."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from annotation.actions.skip_item import plain
from annotation.models import Review
from foundation.errors import UserError
from foundation.options import Option

REPLY = Option("text", "", "the reply", characters=2000, required=True, clean=plain)


@audited
@transaction.atomic
def reply_to_review(*, review: Review, by: Any, text: str) -> Review:
    """Keep the reply beside the decision; a second one takes its place."""
    if review.answer.person_id != by.pk:
        raise UserError("Only the author of the answer replies to its review.")
    review.reply = REPLY.check(text)
    review.replied_at = timezone.now()
    review.save(update_fields=["reply", "replied_at"])
    return review
