"""The field of a form for an option of a model: as any option's, with what is suggested for it."""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext as _

from accounts.option_fields.forms import form_field
from foundation.options import Option
from modelserving.forms.suggestions import SuggestingInput, Suggestions
from modelserving.prompting.endpoints import SUGGESTIONS, endpoint_names


def field_of(one: Option, suggestions: Mapping[str, Suggestions]) -> forms.Field:
    """The field of an option, with suggestions of the kind that it names where there are such."""
    field = form_field(one)
    if one.suggestions == SUGGESTIONS:
        there = [("", _("No endpoint")), *((name, name) for name in endpoint_names())]
        return forms.ChoiceField(
            choices=there, required=False, label=field.label, initial=field.initial, help_text=field.help_text
        )
    if one.suggestions in suggestions:
        return form_field(
            one, required=one.required, widget=SuggestingInput(suggestions[one.suggestions]), strip=True,
            error_messages={"required": one.missing().sentence},
        )  # fmt: skip
    return field
