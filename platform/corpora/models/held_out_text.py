from django.db import models


class HeldOutText(models.Model):
    """A text in the tune or test split of a release; the row is kept with the release, even where the text is removed.

    `key` is its `text_digest` (`foundation.text_keys`). Rows are of sources, their rewrites, and their sentences.
    """

    # Rows are asked for by their keys alone. A check of each row's study, and an index on it, took a quarter of the
    # time that the database has for a release.
    study = models.ForeignKey(
        "corpora.Study", on_delete=models.CASCADE, related_name="held_out", db_index=False, db_constraint=False
    )
    release = models.PositiveSmallIntegerField()
    split = models.CharField(max_length=5)
    key = models.BigIntegerField()

    class Meta:
        ordering = ["study", "release", "pk"]
        indexes = [models.Index(fields=["key"], name="held_out_key")]

    def __str__(self) -> str:
        return f"{self.study}, release {self.release}, {self.split}"
