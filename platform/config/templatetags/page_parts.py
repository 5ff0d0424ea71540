"""The address of the parts that a page does not send itself."""

from django.template import Library

from config.pages.page_parts import parts_address

register = Library()
register.simple_tag(parts_address)
