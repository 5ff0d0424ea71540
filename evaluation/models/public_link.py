from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class PublicLink(models.Model):
    """A link by which anybody reads one page of a study, without an account.

    Only the SHA-256 of its secret is kept; `prefix` lets the study's researchers tell it from others. One that is
    revoked stays, so that its address can say so. `with_texts` shows a release's datasheet and guidelines too, as long
    as the study permits it (`evaluation.public_links.study_texts`).
    """

    class Page(models.TextChoices):
        LEADERBOARD = "leaderboard", _("Leaderboard")
        TRUST = "trust", _("Which metric to trust")
        RELEASE = "release", _("Release")

    study = models.ForeignKey("corpora.Study", on_delete=models.CASCADE, related_name="public_links")
    page = models.CharField(max_length=12, choices=Page)
    release = models.ForeignKey(
        "annotation.Release", on_delete=models.CASCADE, null=True, blank=True, related_name="public_links"
    )
    with_texts = models.BooleanField(default=False, db_default=False)
    prefix = models.CharField(max_length=8)
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        "accounts.Person", on_delete=models.SET_NULL, null=True, related_name="public_links_made"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(page="release", release__isnull=False) | (~Q(page="release") & Q(release__isnull=True)),
                name="release_of_a_public_link",
            )
        ]

    def __str__(self) -> str:
        return f"{self.page} ({self.prefix}...)"

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and not self.has_expired
