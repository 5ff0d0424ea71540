from django.db import models


class Release(models.Model):
    """Gold data as they were given out: never changed, never removed (the database refuses).

    `settings` hold the rules that were applied (campaigns, split rule, seed, formats), `guidelines` the guideline
    versions, `counts` what is in it, `datasheet` the text that describes it. A correction is a further release with
    `changes`, what it changes since the one before. `key` makes the pseudonyms of this release.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveSmallIntegerField()
    changes = models.TextField(blank=True)
    settings = models.JSONField(default=dict)
    guidelines = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    datasheet = models.TextField()
    license = models.CharField(max_length=200, blank=True)
    key = models.BinaryField(max_length=32)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, null=True, related_name="releases_made")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["study", "number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="one_release_a_number")]

    def __str__(self) -> str:
        return f"{self.study} release {self.number}"


class ReleaseFile(models.Model):
    """A file of a release, kept in pieces of a megabyte; `rows` is how many rows of gold it holds."""

    release = models.ForeignKey("annotation.Release", on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    size = models.BigIntegerField()
    rows = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["release", "name"], name="one_file_a_name")]

    def __str__(self) -> str:
        return self.name


class ReleasePiece(models.Model):
    file = models.ForeignKey("annotation.ReleaseFile", on_delete=models.PROTECT, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="one_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.file} piece {self.number}"
