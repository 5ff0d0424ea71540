"""Fields made from what an entry of a registry says it wants, so that a new entry needs no form of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.option_fields import LinesField
from foundation.key_labels import label_of_key


def words_of(key: str) -> str:
    """`allow_unchanged` as a label: "Allow unchanged"."""
    return _(label_of_key(key))


def field_of(key: str, default: Any, choices: Sequence[str] = ()) -> forms.Field | None:
    """The field in which a setting with this default is changed; None for what goes through the API alone."""
    options: dict[str, Any] = {"label": words_of(key), "required": False, "initial": default}
    if isinstance(default, bool):
        return forms.BooleanField(**options)
    if isinstance(default, int):
        return forms.IntegerField(**{**options, "required": True})
    if isinstance(default, float):
        return forms.FloatField(**{**options, "required": True})
    if isinstance(default, str) and choices:
        return forms.ChoiceField(
            choices=[(choice, words_of(choice) if choice else _("none")) for choice in choices], **options
        )
    if isinstance(default, str):
        return forms.CharField(max_length=2000, widget=forms.TextInput(attrs={"dir": "auto"}), **options)
    if isinstance(default, (list, tuple)) and all(isinstance(entry, str) for entry in default):
        return LinesField(help_text=_("One a line."), **options)
    return None


class SettingsForm(forms.Form):
    """The settings of one entry, drawn from its `defaults`. `given` says that the page held this form at all."""

    given = forms.CharField(widget=forms.HiddenInput, required=False, initial="1")

    def __init__(self, data: Any, *, prefix: str, entry: Any, stored: Mapping[str, Any] | None = None) -> None:
        # A form that is not of the chosen kind is filled in, but never in the way.
        bound_data = data if data is not None and any(key.startswith(f"{prefix}-") for key in data) else None
        super().__init__(bound_data, prefix=prefix, use_required_attribute=False)
        self.entry = entry
        choices = getattr(entry, "choices", {})
        for key, default in entry.defaults.items():
            field = field_of(key, (stored or {}).get(key, default), choices.get(key, ()))
            if field is not None:
                self.fields[key] = field

    @property
    def shown(self) -> list[Any]:
        return [self[name] for name in self.fields if name != "given"]

    def values(self) -> dict[str, Any]:
        """The settings as filled in; none where the page did not hold this form. Only after is_valid()."""
        if not self.is_bound:
            return {}
        return {key: value for key, value in self.cleaned_data.items() if key != "given"}
