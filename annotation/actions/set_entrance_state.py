"""Close an entrance, or open it again."""

from typing import Any

from django.db import transaction

from accounts.audit.log import audited
from annotation.models import Entrance


@audited
@transaction.atomic
def set_entrance_state(*, entrance: Entrance, is_open: bool, by: Any) -> Entrance:
    """Through a closed entrance nobody new comes; who is in goes on, and reads their code again."""
    entrance.is_open = is_open
    entrance.save(update_fields=["is_open"])
    return entrance
