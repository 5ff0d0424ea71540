from django.db import models


class Item(models.Model):
    """One piece of work, as its task type built it; `content` is a snapshot and never changes."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.PROTECT, related_name="items")
    content = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_item_a_number")]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.number}"
