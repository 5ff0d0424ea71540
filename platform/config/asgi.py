"""The web application, for a server that speaks ASGI."""

import os

from django.core.asgi import get_asgi_application

from foundation.side_process import use_side_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

use_side_process()
application = get_asgi_application()

from accounts.authentication import require_site_key_at_start  # noqa: E402  (once the apps are ready)

require_site_key_at_start()
