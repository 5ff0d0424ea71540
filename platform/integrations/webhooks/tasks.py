"""The Celery tasks of webhooks."""

from celery import shared_task


@shared_task(name="integrations.webhooks.tasks.deliver", ignore_result=True)
def deliver(delivery_id: int) -> None:
    from integrations.webhooks.delivery import deliver as try_once

    try_once(delivery_id)


@shared_task(name="integrations.webhooks.tasks.deliver_due", ignore_result=True)
def deliver_due() -> None:
    """Each minute of the clock: a task for each delivery whose next try is due."""
    from integrations.webhooks.delivery import due_deliveries

    for delivery in due_deliveries():
        deliver.apply_async(args=[delivery], expires=60)
