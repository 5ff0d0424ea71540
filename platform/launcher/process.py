"""One process of `make run`, in place of this one: `python -m launcher.process web`, for containers and systemd.

Web server and beat alone: a worker needs its watchdog beside it, and so a launcher (`launcher.worker`).

HOST and PORT say where the web server listens; RESTYLE_WEB_WORKERS how many processes answer, by default one a core.
"""

import os
import sys

from embedded import data_dir, missing_urls
from embedded.folders import prepare
from foundation.errors import UserError
from launcher.children import beat_command, commands
from launcher.exit_status import say_errors

ALONE = ("web", "beat")


def become(names: list[str]) -> int:
    """Become the process of that name; raises UserError where there is none, or no server is named for it."""
    if len(names) != 1 or names[0] not in ALONE:
        workers = "`python -m launcher.worker QUEUES` starts workers, with their watchdog"
        raise UserError("Name one of {alone}; {workers}.", alone=", ".join(ALONE), workers=workers)
    lines = commands(*_where(), data_dir(), int(os.environ.get("RESTYLE_WEB_WORKERS") or os.cpu_count() or 1))
    if missing := missing_urls():
        raise UserError(
            "A process of its own uses servers that run already: set {missing}.", missing=" and ".join(missing)
        )
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["RESTYLE_DATA"] = str(data_dir())
    prepare(data_dir())
    sys.stdout.flush()
    line = beat_command(data_dir()) if names == ["beat"] else lines[names[0]]
    os.execv(line[0], line)


def _where() -> tuple[str, int]:
    port = os.environ.get("PORT") or "8000"
    if not port.isdigit():
        raise UserError("PORT is {port!r}: give a number from 1 to 65535.", port=port)
    return os.environ.get("HOST") or "127.0.0.1", int(port)


if __name__ == "__main__":
    sys.exit(say_errors(lambda: become(sys.argv[1:])))
