from django.contrib.postgres.fields import ArrayField
from django.db import models


class NotificationLedger(models.Model):
    """The kinds of notifications that a person does not want by mail (`unwanted`, names), and those they were sent.

    `told` lists the things that they know: each is told once, and again only if it was gone in between. `claimed_at` is
    set before a digest is given to the mail server, and `told` after. A digest that is lost between the two, with its
    process, is not sent a second time; the next one, a day later, has its things.
    """

    person = models.OneToOneField("accounts.Person", on_delete=models.CASCADE, related_name="notification_ledger")
    unwanted = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    told = models.JSONField(default=list)
    looked_at = models.DateTimeField(null=True)
    claimed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"notifications of {self.person}"
