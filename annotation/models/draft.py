from django.db import models


class Draft(models.Model):
    """What an annotator has typed so far; a save with an older version is refused, so two tabs cannot mix."""

    slot = models.ForeignKey("annotation.Slot", on_delete=models.CASCADE, related_name="drafts")
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="drafts")
    version = models.PositiveIntegerField()
    content = models.JSONField()
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["slot", "person"], name="one_draft_a_slot_and_person")]

    def __str__(self) -> str:
        return f"{self.slot} draft {self.version}"
