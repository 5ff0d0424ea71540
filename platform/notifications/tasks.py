"""The Celery task of notifications, which the clock sends."""

from celery import shared_task


@shared_task(name="notifications.tasks.send_due", ignore_result=True)
def send_due() -> None:
    from notifications.digest import send_due_digests

    send_due_digests()
