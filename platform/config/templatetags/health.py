"""How long ago something was, in words."""

from datetime import datetime

from django import template
from django.utils import timezone

from jobs.waiting import in_words

register = template.Library()


@register.filter
def ago(moment: datetime) -> str:
    """`40 s`, `3 min`, `2 h`."""
    return in_words(max(0.0, (timezone.now() - moment).total_seconds()))
