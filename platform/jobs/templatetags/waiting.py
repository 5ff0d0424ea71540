"""`{% waits job %}`: what an unfinished job waits for, in a sentence; nothing while all is well.

`|stored` is a sentence that a job stored, in the language of the page.
"""

from typing import Any

from django import template

from jobs.models import Job
from jobs.stored_sentences import in_readers_language
from jobs.waiting_reasons import waiting_reasons

register = template.Library()
register.filter("stored", in_readers_language)


@register.inclusion_tag("jobs/_waits.html", takes_context=True)
def waits(context: Any, job: Job) -> dict[str, Any]:
    """The sentence about one job; none for a job that is over."""
    return waits_of(context, [job])


@register.inclusion_tag("jobs/_waits.html", takes_context=True)
def waits_of(context: Any, jobs: list[Job]) -> dict[str, Any]:
    """The sentences about a list of jobs, each once."""
    return {"sentences": waiting_reasons(jobs, context.get("user"))}
