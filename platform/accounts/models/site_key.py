from django.db import models
from django.utils.translation import gettext_lazy as _


class SiteKey(models.Model):
    """The digest of the site's SECRET_KEY, so that a process with another one is told from the site's own.

    There is one row at most. PBKDF2 with a salt of its own: the key cannot be had from it.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    digest = models.CharField(_("digest"), max_length=200)
    set_at = models.DateTimeField(_("set at"), auto_now=True)

    class Meta:
        verbose_name = _("digest of the secret key")
        verbose_name_plural = _("digests of the secret key")
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_site_key")]

    def __str__(self) -> str:
        return "secret key"
