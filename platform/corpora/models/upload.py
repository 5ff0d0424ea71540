from django.db import models


class Upload(models.Model):
    """A file on its way in: a job reads its pieces, which are gone once the job has ended.

    A table has a `target`. Its `reading`, `mapping`, `settings` and `answers` are the choices of `made_by` so far. None
    of its texts is in the study yet, and the upload goes when it is imported or left alone for a day.

    A file of documents has the `style` of documents that do not name one; `defaults` are a question, topic and domain
    for documents that have none of their own; `options` are those of the format. The counts are there when it is done.
    """

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="uploads")
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, null=True, related_name="upload")
    target = models.CharField(max_length=40, blank=True, default="", db_default="")
    reading = models.JSONField(default=dict, db_default={})
    mapping = models.JSONField(null=True)
    settings = models.JSONField(default=dict, db_default={})
    answers = models.JSONField(default=dict, db_default={})
    made_by = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, null=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True, null=True)
    name = models.CharField(max_length=200)
    format = models.CharField(max_length=40, blank=True)
    style = models.CharField(max_length=60, blank=True)
    encoding = models.CharField(max_length=40, blank=True)
    options = models.JSONField(default=dict)
    defaults = models.JSONField(default=dict)
    hold_flagged = models.BooleanField(default=True)
    document_count = models.PositiveIntegerField(null=True)
    sentence_count = models.PositiveIntegerField(null=True)
    held_count = models.PositiveIntegerField(null=True)
    empty_count = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class UploadPiece(models.Model):
    """A piece of an upload's bytes, at most a megabyte; `number` counts from 0."""

    upload = models.ForeignKey("corpora.Upload", on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["upload", "number"], name="one_upload_piece_a_number")]

    def __str__(self) -> str:
        return f"{self.upload}, piece {self.number}"
