"""The queue's address as Celery writes it."""

from urllib.parse import parse_qs, urlsplit


def broker_url(url: str) -> str:
    """`unix:///run/redis.sock?db=3` is `redis+socket:///run/redis.sock?virtual_host=3` to Celery; others stay."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"
