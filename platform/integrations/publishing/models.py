"""The table of what was pushed to services outside, and pulled from them."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Publication(models.Model):
    """Something of a study on its way to a service, or from it, made by a job.

    `access_token` is sealed, and gone once the job has ended well; it is kept for a second try otherwise. `target` is
    the repository there. `result` is `{"url", "doi", "revision", "files"}`, with what the service gives of it; a pull
    adds the key of what came of it: "gold_import", "table" or "checkpoint".
    """

    class Service(models.TextChoices):
        HUGGING_FACE = "hugging_face", _("Hugging Face Hub")
        ZENODO = "zenodo", _("Zenodo")
        ZENODO_SANDBOX = "zenodo_sandbox", _("Zenodo's sandbox")

    class Content(models.TextChoices):
        RELEASE = "release", _("A release of gold")
        OUTPUTS = "outputs", _("Outputs of systems")
        JUDGEMENTS = "judgements", _("Judgements, under pseudonyms")
        MODEL = "model", _("A trained model")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="publications")
    job = models.OneToOneField("jobs.Job", on_delete=models.CASCADE, related_name="publication")
    service = models.CharField(max_length=20, choices=Service)
    is_pulled = models.BooleanField(default=False)
    content = models.CharField(max_length=12, choices=Content, default=Content.RELEASE)
    release = models.ForeignKey(
        "annotation.Release", on_delete=models.PROTECT, null=True, blank=True, related_name="publications"
    )
    checkpoint = models.ForeignKey(
        "modelserving.Checkpoint", on_delete=models.SET_NULL, null=True, blank=True, related_name="publications"
    )
    target = models.CharField(max_length=200, blank=True, default="")
    is_private = models.BooleanField(default=True)
    access_token = models.TextField(blank=True, default="")
    result = models.JSONField(default=dict)
    made_by = models.ForeignKey("accounts.Person", on_delete=models.SET_NULL, null=True, related_name="publications")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_content_display()} at {self.get_service_display()}"
