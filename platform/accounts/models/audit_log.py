from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class TrailEntry(models.Model):
    """Who did what, and when. Rows are only ever added: the database refuses everything else.

    (But that somebody who is erased is taken out of `target`, `details` and `changes`: there, words may become
    `[erased]` in the transaction that erases them, and nothing else.)

    `study_slug` is empty for what concerns the whole site; `details` hold what the action was given, without texts, and
    `changes` by field `[before, after]`, or null where the values are not told. Where `day` is set there is one row a
    person, study and day: of what is done thousands of times.
    """

    class Kind(models.TextChoices):
        CHANGE = "change", _("Change")
        SIGN_IN = "sign_in", _("Sign-in")
        EXPORT = "export", _("Export or download")
        READ = "read", _("Texts under terms")
        TOKEN = "token", _("Use of a token")

    at = models.DateTimeField(auto_now_add=True)
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, null=True, related_name="trail")
    study_slug = models.CharField(max_length=80, blank=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.CHANGE, db_default=Kind.CHANGE.value)
    action = models.CharField(max_length=80)
    target = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict)
    changes = models.JSONField(default=dict, db_default={})
    day = models.DateField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "study_slug", "action", "target", "day"], condition=Q(day__isnull=False),
                name="one_row_a_day",
            )
        ]  # fmt: skip
        indexes = [
            models.Index(fields=["study_slug", "-id"], name="trail_of_study"),
            models.Index(fields=["at"], name="trail_at"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"
