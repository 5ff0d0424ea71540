"""What a form suggests for an option that is a text: a list in the browser, beside which anything may be typed."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from modelserving.pretrained.folder_list import folders_of

Suggestions = Callable[[], Iterable[tuple[str, str]]]
"""Values, each with what is said of it."""


class SuggestingInput(forms.TextInput):
    """A text with suggestions, which are asked for when it is drawn."""

    def __init__(self, suggestions: Suggestions) -> None:
        super().__init__()
        self.suggestions = suggestions

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        listed = f"{(attrs or {}).get('id', name)}-suggestions"
        shown = super().render(name, value, {**(attrs or {}), "list": listed, "autocomplete": "off"}, renderer)
        # some browsers show what is said in the place of the value, not beside it
        options = format_html_join(
            "", '<option value="{0}">{0}: {1}</option>', ((one, said) for one, said in self.suggestions())
        )
        return shown + format_html('<datalist id="{}">{}</datalist>', listed, options)


def suggest_folders() -> Iterable[tuple[str, str]]:
    """The folders of models of this machine, with architecture and size."""
    return ((one.name, f"{one.architecture or '?'}, {filesizeformat(one.size)}") for one in folders_of())
