"""The rows in which a researcher gives good and bad examples, which stand beside the guideline."""

from typing import Any

from django import forms

from accounts.option_fields.forms import form_field
from annotation.campaigns.fields import CampaignFields, Example
from foundation.options import list_options, option_named

EMPTY_ROWS = 2
MOST = int(option_named(CampaignFields, "examples").high or 0)
AREA = {"widget": forms.Textarea({"rows": 2, "dir": "auto"})}
LINE = {"widget": forms.TextInput({"dir": "auto"})}


class ExampleForm(forms.Form):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        for one in list_options(Example):
            self.fields[one.name] = form_field(one, **(LINE if one.name == "about" else AREA))


class ExampleRows(forms.BaseFormSet):
    def given(self) -> list[dict[str, str]]:
        """The rows that show something. Only after is_valid(); where the page held no rows, what stood there."""
        if not self.is_bound:
            return list(self.initial or [])
        rows = [{name: row.cleaned_data.get(name, "") for name in row.fields} for row in self]
        return [row for row in rows if row["good"].strip() or row["bad"].strip()]


ExamplesForm = forms.formset_factory(ExampleForm, formset=ExampleRows, extra=EMPTY_ROWS, max_num=MOST)


def examples_form(data: Any, stored: list[dict[str, str]]) -> ExampleRows:
    """The rows that are stored, and a few empty ones."""
    held = data is not None and "examples-TOTAL_FORMS" in data
    return ExamplesForm(data if held else None, prefix="examples", initial=stored)
