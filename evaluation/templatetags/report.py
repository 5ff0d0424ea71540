"""Filters of the report's tables."""

from typing import Any

from django import template

from evaluation.tables import Table

register = template.Library()


@register.filter
def columns(table: Table) -> list[dict[str, Any]]:
    """The head's names, each with the end that is the better one."""
    better = [*table.better, *[None] * (len(table.head) - len(table.better))]
    return [{"name": name, "better": end} for name, end in zip(table.head, better, strict=True)]


@register.filter
def labelled(table: Table) -> list[list[tuple[str, Any]]]:
    """The rows, each cell with the name of its column."""
    return [list(zip(table.head, row, strict=True)) for row in table.rows]
