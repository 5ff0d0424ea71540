"""The table of events."""

from django.db import models
from django.db.models import Q


class Event(models.Model):
    """Something that happened, written in the transaction in which it did.

    `number` is given when the event is published, behind that transaction: whoever has seen a number has seen all
    events with smaller ones. `data` has keys and counts (`kinds.py`), never a text, nor a name of a system or person.
    `once` keeps what is found by looking from being told twice. `person` set it off, where somebody did.
    """

    kind = models.CharField(max_length=40)
    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="events")
    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, null=True, related_name="events")
    person = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="events")
    data = models.JSONField(default=dict)
    once = models.CharField(max_length=40, blank=True, default="")
    number = models.BigIntegerField(null=True, unique=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["number", "pk"]
        indexes = [models.Index(fields=["id"], condition=Q(number=None), name="event_unpublished")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "once"], condition=~Q(once=""), name="one_event_of_a_milestone"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.study}"
