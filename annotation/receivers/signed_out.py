"""Whoever signs out gives back the items that their pages had leased ahead."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver

from annotation.engine.leases_ahead import give_back_all


@receiver(user_logged_out, dispatch_uid="annotation.give_back_ahead")
def give_back_on_sign_out(sender: Any, user: Any, **kwargs: Any) -> None:
    """Nothing where nobody was signed in."""
    if user is not None:
        give_back_all(user.pk)
