from django.db import models


class Direction(models.Model):
    """A direction of transfer of a study, from one of its styles to another; its name is `source-target`."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="directions")
    number = models.PositiveSmallIntegerField()
    source_style = models.CharField(max_length=60)
    target_style = models.CharField(max_length=60)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "source_style", "target_style"], name="one_direction_a_pair"),
            models.UniqueConstraint(fields=["study", "number"], name="one_direction_a_number"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return f"{self.source_style}-{self.target_style}"
