"""How long ago something was, in words."""

from datetime import datetime

from django import template
from django.utils import timezone

from jobs.waiting_reasons import short_duration

register = template.Library()


@register.filter
def ago(moment: datetime) -> str:
    """`40 s`, `3 min`, `2 h`."""
    return short_duration(max(0.0, (timezone.now() - moment).total_seconds()))
