"""The eligibility rules of a campaign, each with its fields."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.option_fields import LinesField, form_field
from annotation.eligibility_rules import ELIGIBILITY_RULES, RuleField
from annotation.models import Campaign
from foundation.options import Option


class EligibilityForm(forms.Form):
    """The first thing that a rule asks switches it on; where that is empty the rule is left out."""

    def __init__(self, data: Any, *, campaigns: Iterable[Campaign], stored: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, prefix="crew", use_required_attribute=False)
        self.campaigns = list(campaigns)
        for name, rule in ELIGIBILITY_RULES.items():
            for ask in rule.asks:
                self.fields[_name(name, ask)] = self._field(ask, _stored(stored or {}, name, ask))

    @property
    def rules(self) -> list[dict[str, Any]]:
        """For the page: each rule with its fields."""
        return [
            {
                "name": name,
                "label": rule.label,
                "about": rule.about,
                "fields": [self[_name(name, a)] for a in rule.asks],
            }
            for name, rule in ELIGIBILITY_RULES.items()
        ]

    @property
    def count(self) -> int:
        """How many rules there are before anything is changed."""
        return sum(1 for name, rule in ELIGIBILITY_RULES.items() if self[_name(name, rule.asks[0])].initial)

    def values(self) -> dict[str, Any]:
        """The rules that are switched on. Only after is_valid()."""
        return {
            name: self._value(name) for name in ELIGIBILITY_RULES if self._answer(name, ELIGIBILITY_RULES[name].asks[0])
        }

    def _value(self, name: str) -> Any:
        asks = ELIGIBILITY_RULES[name].asks
        if asks[0].key == "":
            return self._answer(name, asks[0])
        answers = {ask.key: self._answer(name, ask) for ask in asks}
        return {key: value for key, value in answers.items() if value not in (None, "")}

    def _answer(self, name: str, ask: RuleField) -> Any:
        return self.cleaned_data.get(_name(name, ask))

    def _field(self, ask: RuleField, initial: Any) -> forms.Field:
        options: dict[str, Any] = {"label": _(ask.label), "help_text": _(ask.help) if ask.help else ""}
        options |= {"required": False, "initial": initial}
        choices = [(campaign.slug, campaign.name) for campaign in self.campaigns]
        if ask.kind == "flag":
            return forms.BooleanField(**options)
        if ask.kind == "whole":
            return form_field(Option(ask.key, 0, "", low=1, high=ask.high), **options)
        if ask.kind == "part":
            return forms.FloatField(
                min_value=0, max_value=1, widget=forms.NumberInput(attrs={"step": "any"}), **options
            )
        if ask.kind == "campaign":
            tests = [
                (campaign.slug, campaign.name)
                for campaign in self.campaigns
                if campaign.purpose != Campaign.Purpose.WORK
            ]
            return forms.ChoiceField(choices=[("", _("none")), *tests], **options)
        if ask.kind == "campaigns":
            return forms.MultipleChoiceField(choices=choices, widget=forms.CheckboxSelectMultiple, **options)
        return LinesField(**options)


def _name(rule: str, ask: RuleField) -> str:
    return f"{rule}-{ask.key}" if ask.key else rule


def _stored(stored: Mapping[str, Any], rule: str, ask: RuleField) -> Any:
    value = stored.get(rule)
    return value.get(ask.key) if ask.key and isinstance(value, dict) else value
