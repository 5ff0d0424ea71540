import pytest

from config.environment.broker import broker_url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://cache.example:6379/3", "redis://cache.example:6379/3"),
        ("unix:///data/run/redis.sock?db=3", "redis+socket:///data/run/redis.sock?virtual_host=3"),
        ("unix:///data/run/redis.sock", "redis+socket:///data/run/redis.sock?virtual_host=0"),
        ("unix:///my%20data/redis.sock?db=1", "redis+socket:///my%20data/redis.sock?virtual_host=1"),
    ],
)
def test_a_unix_socket_is_written_as_celery_reads_it(url, expected):
    assert broker_url(url) == expected


def test_celery_finds_the_socket_by_that_address():
    from kombu import Connection
    from kombu.exceptions import OperationalError

    # Nobody listens there, and the error says where it looked.
    with pytest.raises(OperationalError, match=r"/my data/redis\.sock"):
        Connection(broker_url("unix:///my%20data/redis.sock?db=5")).ensure_connection(max_retries=1)
