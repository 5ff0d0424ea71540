"""Words for stored keys, and how somebody sees a table."""

import json

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html

from accounts.forms import ROLE_LABELS
from accounts.models import TableView

register = template.Library()


@register.filter
def role_label(role: str) -> str:
    """A role in words: 'expert_annotator' is 'Expert annotator'."""
    return str(ROLE_LABELS.get(role, role))


@register.simple_tag(takes_context=True)
def table_tools(context: Context, table: str) -> str:
    """The attributes of a table that has tools (js/tables.js): its name, and how whoever looks has chosen to see it.

    Empty where `table` is. All views of a person are read once for a page.
    """
    if not table:
        return ""
    request = context.get("request")
    person = getattr(request, "user", None)
    if request is None or person is None or not person.is_authenticated:
        return format_html('data-tools="{}"', table)
    if not hasattr(request, "table_views"):
        request.table_views = dict(TableView.objects.filter(person=person.pk).values_list("table", "chosen"))
    kept = request.table_views.get(table)
    shown = format_html(' data-view="{}"', json.dumps(kept, ensure_ascii=False, separators=(",", ":"))) if kept else ""
    return format_html('data-tools="{}" data-kept-at="{}"{}', table, reverse("api:me-table", args=[table]), shown)
