"""A cache of URL resolution in both directions, in the process that answers pages."""

from functools import lru_cache

from django.urls import ResolverMatch, URLResolver


def remember_addresses(resolver: URLResolver) -> None:
    """Have it remember both for those that are asked for again and again.

    Django tries its patterns one after the other for each request; those of a study's campaign stand far behind. An
    address that leads nowhere is not remembered. The other way round a page asks for the addresses of its links, some
    of them in each page.
    """
    find = resolver.resolve

    @lru_cache(maxsize=1_000)
    def resolve(path: str) -> ResolverMatch:
        found = find(path)
        found.tried = None  # all patterns before it, for Django's debug page: some 25 kB an address
        return found

    resolver.resolve = resolve  # type: ignore[method-assign]
    resolver._reverse_with_prefix = lru_cache(maxsize=2_000, typed=True)(  # type: ignore[attr-defined]
        resolver._reverse_with_prefix  # type: ignore[attr-defined]
    )
