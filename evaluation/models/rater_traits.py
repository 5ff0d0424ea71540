from django.db import models


class RaterTraits(models.Model):
    """What is known of a person who judged elsewhere, such as age and first language; `worker` as in their judgements.

    It is of a study, and goes with it. `traits` are texts by name, as a site's list of participants has them.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="rater_traits")
    worker = models.CharField(max_length=100)
    traits = models.JSONField(default=dict)

    class Meta:
        ordering = ["worker"]
        constraints = [models.UniqueConstraint(fields=["study", "worker"], name="traits_once_a_rater")]

    def __str__(self) -> str:
        return self.worker
