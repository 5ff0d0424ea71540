from django.contrib.postgres.fields import ArrayField
from django.db import models


class NotificationLedger(models.Model):
    """What a person does not want to hear of by mail (`unwanted`, names of kinds), and what they were told.

    `told` are the things of which they know: each is told once, and again only where it was gone in between. A digest
    is `claimed_at` before it is given to the mail server, and `told` after: one that is lost between the two, with its
    process, is not sent a second time; what it held is in the next one, a day later.
    """

    person = models.OneToOneField("accounts.Person", on_delete=models.CASCADE, related_name="notification_ledger")
    unwanted = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    told = models.JSONField(default=list)
    looked_at = models.DateTimeField(null=True)
    claimed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"notifications of {self.person}"
