from django.db import models


class RatingsImport(models.Model):
    """A file of judgements that were collected elsewhere."""

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="ratings_imports")
    number = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=60)
    file_name = models.CharField(max_length=300)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_ratings_import_a_number")]

    def __str__(self) -> str:
        return self.file_name


class Judgement(models.Model):
    """One worker's value for one text of a sentence on one criterion.

    It belongs to the `system` that the file names. Where the file names none, it belongs to every system whose output
    for the sentence is that text: `text_key` is compared.
    """

    ratings_import = models.ForeignKey("evaluation.RatingsImport", on_delete=models.CASCADE, related_name="judgements")
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.CASCADE, related_name="judgements")
    criterion = models.ForeignKey("annotation.Criterion", on_delete=models.CASCADE, related_name="judgements")
    text_key = models.TextField()
    system = models.ForeignKey(
        "corpora.System", on_delete=models.CASCADE, null=True, blank=True, related_name="judgements"
    )
    worker = models.CharField(max_length=100)
    value = models.FloatField()
    seconds = models.FloatField(null=True)

    class Meta:
        indexes = [models.Index(fields=["ratings_import", "criterion"], name="judgement_of_criterion")]

    def __str__(self) -> str:
        return f"{self.criterion}: {self.value}"
