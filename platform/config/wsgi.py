"""The web application, as the web server runs it."""

import gc
import logging
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.environment.remembered_addresses import remember_addresses
from config.environment.site_path import below_path
from foundation.confined import wait_at_most
from foundation.processes import keep_returning_freed_memory, return_freed_memory
from foundation.side_process import use_side_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

FILE_TURN_SECONDS = 2

use_side_process()
wait_at_most(FILE_TURN_SECONDS)  # a thread that waits for its turn at reading a file answers nobody else
return_freed_memory()
keep_returning_freed_memory()
application = below_path(get_wsgi_application())

from accounts.authentication import require_site_key_at_start  # noqa: E402  (once the apps are ready)

require_site_key_at_start()

remember_addresses(get_resolver())

# No line of a log says which line of the program, which thread or which process wrote it (`logs.configuration`): the
# module's documentation has these switches for programs that write a line for each request.
logging._srcfile = None  # type: ignore[attr-defined, unused-ignore]
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False

# Imported modules stay: the collector need not look through it again and again. A request leaves few cycles behind,
# so that it may also look less often.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 20)
