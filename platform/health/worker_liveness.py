"""The health check of a worker's container: `python -m health.worker_liveness` ends with 0 where one lives here."""

import socket
import sys

import django
import redis


def lives_here() -> bool:
    """Whether a worker of this host gave a sign lately."""
    from jobs.workers import workers

    try:
        return any(worker.lives and worker.sign.host == socket.gethostname() for worker in workers())
    except redis.RedisError:
        return False


if __name__ == "__main__":
    django.setup()
    sys.exit(0 if lives_here() else "No worker of this host gives a sign.")
