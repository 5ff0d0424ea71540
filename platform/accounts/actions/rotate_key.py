from django.conf import settings
from django.utils.translation import gettext as _

from accounts.audit import audited
from accounts.authentication import fits, slow_digest
from accounts.models import SiteKey
from foundation.errors import UserError


@audited
def rotate_key(*, forget: bool = False) -> bool:
    """Make this process's SECRET_KEY the site's; whether it was another one.

    The old one must be among SECRET_KEY_FALLBACKS, so that those who are signed in stay so; with `forget` it need not.
    """
    kept = SiteKey.objects.select_for_update().filter(pk=1).first()
    if kept and fits(settings.SECRET_KEY, kept.digest):
        return False
    if (
        kept
        and not forget
        and not any(fits(secret_key_fallback, kept.digest) for secret_key_fallback in settings.SECRET_KEY_FALLBACKS)
    ):
        raise UserError(
            _(
                "The site's present key is not among SECRET_KEY_FALLBACKS: put it there, or say --forget to end all "
                "sessions."
            )
        )
    SiteKey.objects.update_or_create(pk=1, defaults={"digest": slow_digest(settings.SECRET_KEY)})
    return True
