"""Keeping at least one admin."""

from accounts.models import Person
from accounts.permissions import Role


def lock_admins() -> list[int]:
    """The active admins' keys, locked until the transaction ends: two admins cannot demote one another at once."""
    admins = Person.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk")
    return list(admins.select_for_update().values_list("pk", flat=True))
