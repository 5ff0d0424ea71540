"""A site below a path of its host (RESTYLE_PATH), behind a proxy that takes the path off or leaves it."""

from collections.abc import Callable, Iterable
from typing import Any

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


def below_path(application: Application) -> Application:
    """The application, which is asked for what stands behind the path; what begins otherwise is taken as it is."""
    from django.conf import settings

    path: str = settings.PATH
    if not path:
        return application

    def behind(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked = environ.get("PATH_INFO", "")
        if asked == path or asked.startswith(f"{path}/"):
            environ["PATH_INFO"] = asked[len(path) :] or "/"
        return application(environ, start_response)

    return behind
