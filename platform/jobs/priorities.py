"""The order of messages in a queue. In Redis Celery keeps a list a priority, and reads them in their order.

A job that was interrupted goes before those that wait: it had its turn, and the things that it holds (a folder on this
machine, a checkpoint) are warm. Messages without a priority, such as the small tasks of the clock, go with the first.
"""

from kombu.transport.redis import PRIORITY_STEPS, Channel

FIRST, IN_TURN = PRIORITY_STEPS[0], PRIORITY_STEPS[1]


def lists_of(queue: str) -> list[str]:
    """The names of the lists in Redis that hold a queue's messages."""
    return [f"{queue}{Channel.sep}{step}" if step else queue for step in PRIORITY_STEPS]
