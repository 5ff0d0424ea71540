"""The Celery tasks of events: published when something happened, and by the clock."""

from celery import shared_task


@shared_task(name="integrations.events.tasks.publish", ignore_result=True)
def publish() -> None:
    from integrations.events.publishing import publish as publish_events

    publish_events()


@shared_task(name="integrations.events.tasks.look", ignore_result=True)
def look() -> None:
    """Each minute of the clock: see how far campaigns are, and publish events whose message was lost."""
    from integrations.events.publishing import note_progress
    from integrations.events.publishing import publish as publish_events

    note_progress()
    publish_events()


@shared_task(name="integrations.events.tasks.prune", ignore_result=True)
def prune() -> None:
    from integrations.events.publishing import prune as prune_events

    prune_events()
