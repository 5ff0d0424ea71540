"""What an address leads to, remembered for the addresses that are asked for again and again.

Django tries its patterns one after the other for each request; those of a study's campaign stand far behind.
"""

from functools import lru_cache

from django.urls import get_resolver

MOST = 1_000


def keep_routes_at_hand() -> None:
    """From here on, in this process. Addresses that lead nowhere are not kept."""
    resolver = get_resolver()
    resolver.resolve = lru_cache(maxsize=MOST)(resolver.resolve)  # type: ignore[method-assign]
