"""The web application, as the web server runs it."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from foundation.memory_trimming import return_freed_memory
from foundation.side_process import use_side_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

use_side_process()
return_freed_memory()
application = get_wsgi_application()

from accounts.authentication.site_key import require_site_key_at_start  # noqa: E402  (once the apps are ready)

require_site_key_at_start()

from config.routes_at_hand import keep_routes_at_hand  # noqa: E402

keep_routes_at_hand()

# What was imported stays: the collector need not look through it again and again. A request leaves few cycles behind,
# so that it may also look less often.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
