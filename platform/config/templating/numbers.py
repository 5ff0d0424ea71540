"""`floatformat` as everywhere, with the minus sign at the left of its number in languages written from the right.

It is built in and stands before Django's own: without a mark before it, the sign goes to the other end of the number.
"""

from django.template import Library, defaultfilters
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi

LEFT_TO_RIGHT_MARK = "\u200e"
register = Library()


@register.filter(is_safe=True)
def floatformat(value: object, digits: object = -1) -> str:
    """`{{ value|floatformat:2 }}`: -0.25, in German -0,25."""
    text = defaultfilters.floatformat(value, digits)
    return SafeString(LEFT_TO_RIGHT_MARK + text) if text.startswith("-") and get_language_bidi() else text
