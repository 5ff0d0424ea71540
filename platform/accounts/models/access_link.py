from django.db import models

from accounts.permissions import ROLE_CHOICES


class AccessLink(models.Model):
    """A link that lets its bearer in once: to join by invitation, or to choose a new password.

    Only the SHA-256 of its secret is kept. A signal tells other apps when an invitation was accepted.
    """

    class Purpose(models.TextChoices):
        INVITATION = "invitation"
        PASSWORD_RESET = "password_reset"  # noqa: S105 (a purpose, not a password)

    purpose = models.CharField(max_length=20, choices=Purpose)
    digest = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=20, choices=ROLE_CHOICES, blank=True)
    person = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, null=True, related_name="access_links")
    made_by = models.ForeignKey("accounts.Person", on_delete=models.CASCADE, related_name="links_made")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.purpose} {self.email}".strip()
