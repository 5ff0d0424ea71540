from collections.abc import Collection

from accounts.audit import audited
from accounts.models import Person
from foundation.errors import UserError
from notifications.kinds import KINDS
from notifications.models import NotificationLedger


@audited
def choose_notifications(*, person: Person, wanted: Collection[str]) -> NotificationLedger:
    """Choose the kinds that the person hears of by mail; none of the others is sent."""
    names = [kind.name for kind in KINDS]
    for name in wanted:
        if name not in names:
            raise UserError("A notification must be one of {names}.", names=", ".join(names), where=name)
    unwanted = [name for name in names if name not in wanted]
    return NotificationLedger.objects.update_or_create(person=person, defaults={"unwanted": unwanted})[0]


def wanted_by(person: Person) -> list[str]:
    """The kinds that the person hears of: all, until they choose."""
    ledger = NotificationLedger.objects.filter(person=person).first()
    return [kind.name for kind in KINDS if ledger is None or kind.name not in ledger.unwanted]
