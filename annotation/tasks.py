"""Background tasks of the queue."""

from celery import shared_task

from annotation.queue import free_leases


@shared_task
def free_expired_leases() -> int:
    """Free the slots whose leases have expired, so that the counts on pages are true; claims do it when they must."""
    return free_leases()
