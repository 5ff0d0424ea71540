from django.db import models


class Draft(models.Model):
    """What an annotator has typed so far of an item, or of a change of an answer; `writer` is the page that saved it.

    `seconds` is how long they were active on it so far, which counts on where they go on, be it on another machine.

    It stays while the item is passed by or reported, and goes once the item, or the change, is handed in.
    """

    assignment = models.ForeignKey(
        "annotation.Assignment", on_delete=models.CASCADE, related_name="drafts", db_column="slot_id"
    )
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="drafts")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    writer = models.CharField(max_length=40, blank=True, default="", db_default="")
    seconds = models.FloatField(null=True)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "person"], name="one_draft_a_slot_and_person")]

    def __str__(self) -> str:
        return f"{self.assignment} draft {self.version}"
