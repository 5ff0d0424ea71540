"""The rows in which a researcher gives good and bad examples, which stand beside the guideline."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

EMPTY_ROWS = 2
AREA = {"rows": 2, "dir": "auto"}


class ExampleForm(forms.Form):
    about = forms.CharField(label=_("About"), max_length=100, required=False, widget=forms.TextInput({"dir": "auto"}))
    good = forms.CharField(label=_("Good"), max_length=2000, required=False, widget=forms.Textarea(AREA))
    bad = forms.CharField(label=_("Bad"), max_length=2000, required=False, widget=forms.Textarea(AREA))
    why = forms.CharField(label=_("Why"), max_length=2000, required=False, widget=forms.Textarea(AREA))


class ExampleRows(forms.BaseFormSet):
    def given(self) -> list[dict[str, str]]:
        """The rows that show something. Only after is_valid(); where the page held no rows, what stood there."""
        if not self.is_bound:
            return list(self.initial or [])
        rows = [{name: row.cleaned_data.get(name, "") for name in row.fields} for row in self]
        return [row for row in rows if row["good"].strip() or row["bad"].strip()]


ExamplesForm = forms.formset_factory(ExampleForm, formset=ExampleRows, extra=EMPTY_ROWS, max_num=100)


def examples_form(data: Any, stored: list[dict[str, str]]) -> ExampleRows:
    """The rows that are stored, and a few empty ones."""
    held = data is not None and "examples-TOTAL_FORMS" in data
    return ExamplesForm(data if held else None, prefix="examples", initial=stored)
