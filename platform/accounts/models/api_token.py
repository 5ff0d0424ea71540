from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiToken(models.Model):
    """A key for the API. Only its SHA-256 is kept; `prefix` lets its owner tell it from others."""

    class Scope(models.TextChoices):
        READ = "read", _("read everything its owner may read")
        WRITE = "write", _("change what its owner may change")
        ANNOTATE = "annotate", _("work on campaigns")

    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}...)"

    @property
    def scope_labels(self) -> list[str]:
        """What it may do, in words."""
        return [str(self.Scope(scope).label) for scope in self.scopes]
