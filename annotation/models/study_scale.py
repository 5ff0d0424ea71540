from django.db import models


class StudyScale(models.Model):
    """A scale that a study made for itself; `line` says the whole of it (`annotation/rating_scales.py`).

    Criteria keep the line, so a scale that is taken off the list stays what it was where it is used.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="scales")
    name = models.CharField(max_length=40)
    line = models.CharField(max_length=1000)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_scale_a_name")]

    def __str__(self) -> str:
        return self.name
