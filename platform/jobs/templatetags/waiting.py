"""`{% waits job %}`: what an unfinished job waits for, in a sentence; nothing while all is well.

`|stored` is a sentence that a job stored, in the language of the page.
"""

from typing import Any

from django import template

from jobs.models import Job
from jobs.stored_sentences import in_readers_language
from jobs.titles import title_for_reader
from jobs.waiting_reasons import waiting_reasons

register = template.Library()
register.filter("stored", in_readers_language)


@register.filter
def of_task(title: str, task: str) -> str:
    """The stored title of a job of a task, in the language of the page, where there is no job to ask."""
    return title_for_reader(task, title)


@register.inclusion_tag("jobs/_waits.html", takes_context=True)
def waits(context: Any, job: Job) -> dict[str, Any]:
    """The sentence about one job; none for a job that is over."""
    return waits_of(context, [job])


@register.inclusion_tag("jobs/_waits.html", takes_context=True)
def waits_of(context: Any, jobs: list[Job]) -> dict[str, Any]:
    """The sentences about a list of jobs, each once."""
    return {"sentences": waiting_reasons(jobs, context.get("user"))}
