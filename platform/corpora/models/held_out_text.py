from django.db import models


class HeldOutText(models.Model):
    """A text in the tune or test split of a release; the row is kept with the release, even where the text is removed.

    `key` is its `text_digest` (`foundation.text_keys`). Rows are of sources, their rewrites, and their sentences.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="held_out")
    release = models.PositiveSmallIntegerField()
    split = models.CharField(max_length=5)
    key = models.BigIntegerField()

    class Meta:
        ordering = ["study", "release", "pk"]
        indexes = [models.Index(fields=["key"], name="held_out_key")]

    def __str__(self) -> str:
        return f"{self.study}, release {self.release}, {self.split}"
