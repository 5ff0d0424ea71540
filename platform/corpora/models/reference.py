from django.db import models
from django.utils.translation import gettext_lazy as _


class ReferenceSet(models.Model):
    """At most one human rewrite for each sentence of a direction: an imported file, or a campaign's k-th rewrites.

    In a set with `brackets` the full forms of terms stand in square brackets, as MedLane's annotators wrote them: the
    metric HIT looks for them, and to all others the brackets are not there.
    """

    class Marks(models.TextChoices):
        NONE = "", _("None")
        BRACKETS = "brackets", _("Full forms of terms in square brackets")

    direction = models.ForeignKey("corpora.Direction", on_delete=models.CASCADE, related_name="reference_sets")
    number = models.PositiveSmallIntegerField()
    origin = models.CharField(max_length=200)
    marks = models.CharField(max_length=10, choices=Marks, blank=True, default=Marks.NONE, db_default="")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["direction", "number"], name="one_reference_set_a_number")]

    def __str__(self) -> str:
        return f"{self.direction} reference {self.place}"

    @property
    def place(self) -> int:
        """Its number as people read it, from 1; it is kept from 0."""
        return self.number + 1


class Reference(models.Model):
    set = models.ForeignKey("corpora.ReferenceSet", on_delete=models.CASCADE, related_name="references")
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.CASCADE, related_name="references")
    text = models.TextField()

    class Meta:
        ordering = ["set__number", "sentence__number"]
        constraints = [models.UniqueConstraint(fields=["set", "sentence"], name="one_reference_a_sentence")]

    def __str__(self) -> str:
        return self.text[:80]
