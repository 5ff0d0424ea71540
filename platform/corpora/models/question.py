from django.db import models


class Question(models.Model):
    """A question that documents answer (PLABA): its `code` keys the released file, `type` is the letter there.

    `focus` is the subject of the question, `kind` the information asked for (general information, treatment, prognosis
    ...). `chosen` is empty until somebody screened it.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="questions")
    number = models.PositiveIntegerField()
    code = models.CharField(max_length=60)
    text = models.TextField()
    type = models.CharField(max_length=1, blank=True)
    focus = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=100, blank=True)
    topic = models.CharField(max_length=100, blank=True)
    chosen = models.BooleanField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "code"], name="one_question_a_code")]

    def __str__(self) -> str:
        return self.text[:80]
