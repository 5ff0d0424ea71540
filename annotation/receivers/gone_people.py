"""What somebody had leased who is gone (removed from a study, deactivated or erased) is free at once."""

from typing import Any

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from accounts.models import Person
from annotation.engine.assignment_queue import free_leases_of
from corpora.models import Membership


@receiver(post_delete, sender=Membership, dispatch_uid="annotation.free_removed")
def free_of_removed(sender: Any, instance: Membership, **kwargs: Any) -> None:
    free_leases_of(instance.person_id, instance.study_id)


@receiver(post_save, sender=Person, dispatch_uid="annotation.free_inactive")
def free_of_inactive(sender: Any, instance: Person, created: bool, **kwargs: Any) -> None:
    """Erasing deactivates too."""
    if not instance.is_active and not created:
        free_leases_of(instance.pk)
