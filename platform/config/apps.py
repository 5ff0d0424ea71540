from functools import partial

from django.apps import AppConfig
from django.utils.formats import number_format
from django.utils.translation import get_language_bidi, gettext

from foundation.translation import use_language_of_reader


class ConfigConfig(AppConfig):
    """The house's own templates tags, commands and static files."""

    name = "config"

    def ready(self) -> None:
        """Make the Celery app the current one, so that a task that is sent finds its broker, and hear what leaves."""
        from config import (
            celery,  # noqa: F401
            checks,  # noqa: F401
        )
        from studies import removal  # noqa: F401

        grouped = partial(number_format, use_l10n=True, force_grouping=True)
        use_language_of_reader(translate=gettext, group=grouped, is_right_to_left=get_language_bidi)
