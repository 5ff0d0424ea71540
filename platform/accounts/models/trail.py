from django.db import models


class TrailEntry(models.Model):
    """Who changed what, and when: one row for every action that wrote. Rows are only ever added.

    `study_slug` is empty for what concerns the whole site; `details` hold what the action was given, without texts.
    """

    at = models.DateTimeField(auto_now_add=True)
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, null=True, related_name="trail")
    study_slug = models.CharField(max_length=80, blank=True)
    action = models.CharField(max_length=80)
    target = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["study_slug", "-id"], name="trail_of_study")]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
