"""The quality checks of a campaign: each may be switched off, and its thresholds changed."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from annotation.forms.entry_settings import words_of
from annotation.quality import CHECKS, CampaignTraits
from foundation.errors import UserError

ON = "on"


class ChecksForm(forms.Form):
    """A box and the thresholds of each check. What is as its default is not stored."""

    given = forms.CharField(widget=forms.HiddenInput, required=False, initial="1")

    def __init__(self, data: Any, *, stored: Mapping[str, Any] | None = None, of: CampaignTraits | None = None) -> None:
        self.of = of
        bound_data = data if data is not None and "checks-given" in data else None
        super().__init__(bound_data, prefix="checks", use_required_attribute=False)
        for name, check in CHECKS.items():
            chosen = (stored or {}).get(name, {})
            self.fields[f"{name}-{ON}"] = forms.BooleanField(label=_("On"), required=False, initial=chosen is not False)
            for key, default in check.defaults.items():
                shown = chosen.get(key, default) if isinstance(chosen, Mapping) else default
                self.fields[f"{name}-{key}"] = _number(key, default, shown)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For the page: each check with its fields, and why it finds nothing in this campaign where that is so."""
        return [
            {
                "name": name,
                "label": check.label,
                "about": check.about,
                "idle": check.idle(self.of) if self.of else "",
                "fields": [self[f"{name}-{key}"] for key in (ON, *check.defaults)],
            }
            for name, check in CHECKS.items()
        ]

    def values(self, stored: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The checks as a campaign keeps them; `stored` where the page did not hold this form."""
        if not self.is_bound:
            return dict(stored or {})
        chosen = {name: self._value(name) for name in CHECKS}
        return {name: value for name, value in chosen.items() if value != {}}

    def clean(self) -> dict[str, Any] | None:
        for name, check in CHECKS.items():
            try:
                check.check_settings(self._settings(name))
            except UserError as error:
                self.add_error(f"{name}-{error.where}", error.sentence)
        return self.cleaned_data

    def _settings(self, name: str) -> dict[str, Any]:
        thresholds = {key: self.cleaned_data.get(f"{name}-{key}") for key in CHECKS[name].defaults}
        return {key: value for key, value in thresholds.items() if value is not None}

    def _value(self, name: str) -> Any:
        if not self.cleaned_data[f"{name}-{ON}"]:
            return False
        differs = {key: value for key, value in self._settings(name).items() if value != CHECKS[name].defaults[key]}
        return CHECKS[name].check_settings(differs) if differs else {}


def _number(key: str, default: Any, shown: Any) -> forms.Field:
    options = {"label": words_of(key), "required": False, "initial": shown}
    if isinstance(default, int):
        return forms.IntegerField(**options)
    return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **options)
