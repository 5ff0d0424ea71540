"""Django's cache in Redis, with one client for all requests of a process.

Django makes a new client for each question, which costs ten times what asking does. A client is safe to share: it takes
a connection of its pool for each question.
"""

from functools import cache
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError


class OneClient(RedisCacheClient):  # type: ignore[misc, unused-ignore]
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._client_of = cache(lambda write: super(OneClient, self).get_client(write=write))

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self._client_of(write)

    def get(self, key: Any, default: Any) -> Any:
        """Asked once, without what redis-py counts and prepares around a question: each request reads its session so.

        If that fails, redis-py asks in its own way, and says what is wrong.
        """
        pool = self.get_client(key).connection_pool
        connection = pool.get_connection()
        try:
            connection.send_command("GET", key)
            value = connection.read_response()
        except RedisError:
            connection.disconnect()
            return super().get(key, default)
        except BaseException:
            connection.disconnect()  # its answer may still come
            raise
        finally:
            pool.release(connection)
        return default if value is None else self._serializer.loads(value)  # type: ignore[attr-defined, unused-ignore]


class SharedRedisCache(RedisCache):
    def __init__(self, server: Any, params: Any) -> None:
        super().__init__(server, params)
        self._class = OneClient


__all__ = ["SharedRedisCache"]
