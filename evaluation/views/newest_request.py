"""The newest of several requests of a page for the same thing: nobody reads the answers to earlier ones."""

import hashlib
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.core.cache import cache

SECONDS = 120  # after which nobody asks any more


def newest_request(request: Any, what: str) -> Callable[[], bool]:
    """Whether no later request came from the page that sent this one, which its token tells from others of a person."""
    page = hashlib.sha256(request.POST.get("csrfmiddlewaretoken", "").encode()).hexdigest()[:16]
    key, own = f"newest:{what}:{request.user.pk}:{page}", uuid4().hex
    cache.set(key, own, SECONDS)
    return lambda: cache.get(key, own) == own
