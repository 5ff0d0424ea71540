from django.db import models


class Criterion(models.Model):
    """What a study asks of an output, and on which scale; `beside` says what is shown with the output."""

    class Beside(models.TextChoices):
        NOTHING = "nothing"
        SOURCE = "source"
        SOURCE_AND_REFERENCE = "source_and_reference"

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="criteria")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    scale = models.CharField(max_length=1000)
    aspect = models.CharField(max_length=60, blank=True)
    beside = models.CharField(max_length=20, choices=Beside, default=Beside.NOTHING)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "criteria"
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_criterion_a_name")]

    def __str__(self) -> str:
        return self.name
