"""Words for stored keys."""

from django import template

from accounts.forms import ROLE_LABELS

register = template.Library()


@register.filter
def role_label(role: str) -> str:
    """A role in words: 'expert_annotator' is 'Expert annotator'."""
    return str(ROLE_LABELS.get(role, role))
