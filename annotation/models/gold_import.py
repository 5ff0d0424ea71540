from django.db import models


class GoldImport(models.Model):
    """Gold that was made elsewhere, on its way in: a job looks at the file and counts, another one brings it in.

    `form` is empty where it is to be recognised; `split` is that of rows whose form says none; `tune` is the share of
    the texts to train on that stand for themselves which becomes the tune split, in per cent. `found` is what would
    come, `brought` what came. The pieces of the file are gone once it is in.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="gold_imports")
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="gold_import")
    name = models.CharField(max_length=200)
    form = models.CharField(max_length=40, blank=True)
    split = models.CharField(max_length=5)
    tune = models.FloatField(default=0)
    writes = models.BooleanField(default=False)
    found = models.JSONField(null=True)
    brought = models.JSONField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class GoldImportPiece(models.Model):
    """A piece of such a file, at most a megabyte; `number` counts from 0."""

    gold_import = models.ForeignKey("annotation.GoldImport", on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["gold_import", "number"], name="one_gold_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.gold_import}, piece {self.number}"
