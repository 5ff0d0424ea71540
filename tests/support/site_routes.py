"""Every route of the site, by its name."""

from functools import cache
from typing import NamedTuple

from django.urls import URLPattern, get_resolver


class Route(NamedTuple):
    names: frozenset[str]  # those in its address
    ours: bool  # listed in a file of this project, not in a library's


def walk(patterns, before="", namespace="", names=frozenset(), ours=True):
    """Each route with its key in the table."""
    for pattern in patterns:
        address = before + str(pattern.pattern)
        within = names | set(pattern.pattern.converters) | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLPattern):
            yield namespace + pattern.name if pattern.name else address, Route(within, ours)
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            listed = getattr(pattern.urlconf_module, "__file__", "")
            yield from walk(pattern.url_patterns, address, inner, within, ours and "site-packages" not in listed)


@cache
def routes():
    return dict(walk(get_resolver().url_patterns))
