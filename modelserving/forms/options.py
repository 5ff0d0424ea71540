"""A form made of a dataclass of options (`foundation/options.py`): a field an option, the rare ones folded away."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from corpora.forms.studies import TellingForm
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import Value, list_options
from modelserving.forms.option_fields import field_of
from modelserving.forms.suggestions import Suggestions, suggest_folders
from modelserving.presenters.start_points import start_points

Data = Mapping[str, Any]


class OptionsForm(TellingForm):
    """What can be chosen of `kind`, with its defaults.

    A browser sends nothing for a box without a tick, so `shown` says whose options the sender saw: another's, or
    none's, are left as the fields begin.
    """

    shown = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, kind: type, name: str, data: Data | None = None, *, prefix: str, begun: Data | None = None,
        study: Study | None = None,
    ) -> None:  # fmt: skip
        """`begun` are the values with which fields begin that are not as they usually are.

        With the `study` its checkpoints of the model `name` are suggested where one can be chosen.
        """
        saw = data is not None and data.get(f"{prefix}-shown") == name
        super().__init__(data if saw else None, prefix=prefix, initial={"shown": name, **(begun or {})})
        self.options = list_options(kind)
        suggestions: dict[str, Suggestions] = {"model_folders": suggest_folders}
        if study:
            suggestions["checkpoints"] = partial(start_points, study, name)
            suggestions["locators"] = partial(start_points, study, "declare")
        for option in self.options:
            self.fields[option.name] = field_of(option, suggestions)

    def chosen(self) -> dict[str, Value]:
        """The options that are not as they usually are; call it where the form is valid or unbound."""
        found = self.cleaned_data if self.is_bound else self._begun
        return {
            option.name: found[option.name]
            for option in self.options
            if found[option.name] not in (None, option.default)
        }

    @property
    def _begun(self) -> dict[str, Value]:
        """The values that its fields begin with."""
        return {option.name: self.initial.get(option.name, option.default) for option in self.options}

    def fits(self) -> bool:
        """Whether nothing is wrong with it; of what nobody saw, nothing is."""
        return not self.is_bound or self.is_valid()

    @property
    def groups(self) -> list[tuple[str, list[Any]]]:
        """The common ones by the name of their group, "" for those of none."""
        return self._grouped(rare=False)

    @property
    def rare_groups(self) -> list[tuple[str, list[Any]]]:
        """The rare ones likewise."""
        return self._grouped(rare=True)

    def _grouped(self, *, rare: bool) -> list[tuple[str, list[Any]]]:
        """Groups stand in the order in which their first options are declared, rare or not."""
        found: dict[str, list[Any]] = {option.group: [] for option in self.options}
        for option in self.options:
            if option.rare == rare:
                found[option.group].append(self[option.name])
        return [(_(name) if name else "", fields) for name, fields in found.items() if fields]

    @property
    def rare_wrong(self) -> bool:
        """Whether a folded field has an error: then the fold is open."""
        return any(option.rare and option.name in self.errors for option in self.options)

    def tell(self, error: UserError, field: str | None = None) -> None:
        """As a TellingForm; a form that nobody saw is bound to what it begins with first, to have a place for it."""
        if not self.is_bound:
            self.is_bound, self.data = True, {f"{self.prefix}-{name}": value for name, value in self._begun.items()}
            self.full_clean()
        super().tell(error, field)


def typed_values(kind: type, name: str, data: Data, *, prefix: str) -> dict[str, Any]:
    """What stands in the fields of an OptionsForm that was sent, right or wrong; nothing where its options are not of
    `name`."""
    if data.get(f"{prefix}-shown") != name:
        return {}
    return {
        one.name: f"{prefix}-{one.name}" in data
        if isinstance(one.default, bool)
        else data.get(f"{prefix}-{one.name}", "")
        for one in list_options(kind)
    }
