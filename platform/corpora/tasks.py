"""The Celery tasks of corpora."""

from celery import shared_task

from jobs.execution import run_job


@shared_task(name="corpora.tasks.import_documents")
def import_documents(job_id: int) -> None:
    from corpora.background_jobs import import_upload

    run_job(job_id, import_upload)


@shared_task(name="corpora.tasks.link_concepts")
def link_concepts(job_id: int) -> None:
    from corpora.concepts import link_study

    run_job(job_id, link_study)


@shared_task(name="corpora.tasks.select_sources")
def select_sources(job_id: int) -> None:
    from corpora.background_jobs import select_for

    run_job(job_id, select_for)


@shared_task(name="corpora.tasks.purge_removed", ignore_result=True)
def purge_removed() -> int:
    """Forget for good the rows removed more than 30 days ago, and remove the files that were left during a backup.

    Tables that were left alone on their way in go too.
    """
    from corpora.actions.keep_table import forget_left_alone
    from corpora.actions.purge_removals import purge_removals
    from corpora.trash import remove_left_files

    forget_left_alone()
    remove_left_files()
    return purge_removals()


@shared_task(name="corpora.tasks.bring_in_table")
def bring_in_table(job_id: int) -> None:
    from corpora.background_jobs import bring_in_upload

    run_job(job_id, bring_in_upload)
