from django.db import models


class HeldOutText(models.Model):
    """That a text stands in the tune or test split of a release; kept with the release, whatever becomes of the text.

    `key` is its `text_digest` (`foundation.text_keys`): of sources, of what was made of them, and of their sentences.
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
