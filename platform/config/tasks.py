"""The Celery tasks of the site as a whole."""

from celery import shared_task
from django.utils import timezone

from jobs.execution import run_job


@shared_task(name="config.tasks.back_up")
def back_up(job_id: int) -> None:
    from backup.schedule import back_up

    run_job(job_id, back_up)


@shared_task(name="config.tasks.back_up_if_due", ignore_result=True)
def back_up_if_due() -> None:
    """Begin the day's backup, where none was begun yet."""
    from backup.actions.start_backup import start_backup
    from backup.schedule import is_due

    if is_due(timezone.now()):
        start_backup()


@shared_task(name="config.tasks.clear_sessions", ignore_result=True)
def clear_sessions() -> None:
    """Remove the sessions that have expired: PostgreSQL keeps them beside Redis. Kept answers go, too."""
    from django.core.management import call_command

    from accounts.kept_answers import forget_old_answers

    call_command("clearsessions")
    forget_old_answers()


@shared_task(name="config.tasks.reset_demo")
def reset_demo(job_id: int) -> None:
    from demo.reset import reset_demo

    run_job(job_id, reset_demo)
