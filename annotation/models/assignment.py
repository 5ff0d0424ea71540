from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Assignment(models.Model):
    """A place for one annotator at an item. The two unique constraints make over-assignment impossible.

    An assignment is leased until `lease_expires_at`; `lease` changes with every lease, so that work done under an older
    one is recognised. A lease is `ahead` while the item waits behind the one that its person works at. `order` is the
    order in which the item's candidates are presented in this assignment. `position` repeats the item's number,
    `barred` its people and `topic` its topic, so that the next free assignment is one step in one index. Every
    submission writes to all indexes of two assignments: a key with which another index begins has none of its own.
    """

    class State(models.IntegerChoices):
        FREE = 0
        LEASED = 1
        DONE = 2
        HELD = 3  # a problem was reported: nobody gets it until a reviewer decides
        DROPPED = 4

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="assignments")
    item = models.ForeignKey("annotation.Item", on_delete=models.CASCADE, related_name="assignments", db_index=False)
    number = models.PositiveSmallIntegerField()
    position = models.PositiveIntegerField()
    pilot = models.BooleanField(default=False)
    state = models.PositiveSmallIntegerField(choices=State, default=State.FREE)
    annotator = models.ForeignKey(
        "accounts.Person", on_delete=models.PROTECT, null=True, related_name="assignments", db_index=False
    )
    lease = models.UUIDField(null=True)
    leased_at = models.DateTimeField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    ahead = models.BooleanField(default=False, db_default=False)
    barred = ArrayField(models.IntegerField(), default=list, db_default=[])
    topic = models.CharField(max_length=100, blank=True, default="", db_default="")
    order = ArrayField(models.PositiveSmallIntegerField(), default=list)

    class Meta:
        db_table = "annotation_slot"
        ordering = ["position", "number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "pilot", "number"], name="one_slot_a_number"),
            models.UniqueConstraint(fields=["item", "pilot", "annotator"], name="one_slot_a_person"),
            models.UniqueConstraint(
                fields=["campaign", "annotator"],
                condition=Q(state=1, ahead=False),
                name="one_lease_a_person_and_campaign",
            ),
        ]
        indexes = [
            models.Index(fields=["campaign", "pilot", "position", "number"], condition=Q(state=0), name="slot_free"),
            models.Index(fields=["lease_expires_at"], condition=Q(state=1), name="slot_leased"),
            models.Index(fields=["campaign", "annotator"], condition=Q(state=1, ahead=True), name="slot_ahead"),
        ]

    def __str__(self) -> str:
        return f"{self.item} assignment {self.number}"
