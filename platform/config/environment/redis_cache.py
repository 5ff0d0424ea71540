"""Django's cache in Redis, with one client for all requests of a process.

Django makes a new client for each question, which costs ten times what asking does. A client is safe to share: it takes
a connection of its pool for each question.
"""

from functools import cache
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class OneClient(RedisCacheClient):  # type: ignore[misc, unused-ignore]
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._client_of = cache(lambda write: super(OneClient, self).get_client(write=write))

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self._client_of(write)


class SharedRedisCache(RedisCache):
    def __init__(self, server: Any, params: Any) -> None:
        super().__init__(server, params)
        self._class = OneClient


__all__ = ["SharedRedisCache"]
