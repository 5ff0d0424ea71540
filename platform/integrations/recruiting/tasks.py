"""The Celery tasks of recruiting."""

from celery import shared_task


@shared_task(name="integrations.recruiting.tasks.do_order", ignore_result=True)
def do_order(order_id: int) -> None:
    from integrations.recruiting.execution import do_order as do_once

    do_once(order_id)


@shared_task(name="integrations.recruiting.tasks.do_due", ignore_result=True)
def do_due() -> None:
    """Each minute of the clock: a task for each order whose next try is due."""
    from integrations.recruiting.execution import due_orders

    for order in due_orders():
        do_order.apply_async(args=[order], expires=60)


@shared_task(name="integrations.recruiting.tasks.look", ignore_result=True)
def look() -> None:
    """Each ten minutes of the clock: ask for the submissions of open recruitments, since hooks may be lost."""
    from integrations.recruiting.watching import look_at_open

    look_at_open()
