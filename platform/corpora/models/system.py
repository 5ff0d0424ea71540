from django.db import models


class System(models.Model):
    """Something that rewrites: a model whose outputs were uploaded or made here, or people (`is_human`).

    Systems of one `family` are one model with several seeds (mean and deviation) or several `options` (dimensions of a
    network, by name); a system without a family stands for itself.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="systems")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100)
    is_human = models.BooleanField(default=False)
    allows_missing = models.BooleanField(default=False)
    family = models.CharField(max_length=100, blank=True, default="", db_default="")
    seed = models.IntegerField(null=True, blank=True)
    options = models.JSONField(default=dict, blank=True, db_default={})
    origin = models.CharField(max_length=200)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="systems_made")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="one_system_a_name")]

    def __str__(self) -> str:
        return self.name


class Output(models.Model):
    system = models.ForeignKey("corpora.System", on_delete=models.CASCADE, related_name="outputs")
    sentence = models.ForeignKey("corpora.Sentence", on_delete=models.CASCADE, related_name="outputs")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "sentence"], name="one_output_a_sentence")]

    def __str__(self) -> str:
        return self.text[:80]
