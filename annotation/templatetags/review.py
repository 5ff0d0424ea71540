"""The filters for products on the pages of reviews and answers."""

from collections.abc import Mapping
from typing import Any

from django.template import Library

register = Library()


@register.filter
def chosen_in(key: Any, documents: Mapping[str, bool]) -> bool:
    """Whether a screening took the document in."""
    return bool(documents.get(str(key)))
