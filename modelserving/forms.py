from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corpora.models import Study
from modelserving.transfer import TRANSFERS


class TransferForm(forms.Form):
    """Which model runs, on which direction, and what its system is called."""

    model = forms.ChoiceField(label=_("Model"))
    direction = forms.ModelChoiceField(
        label=_("Direction"), queryset=None, required=False, empty_label=_("All directions of the study")
    )
    name = forms.CharField(label=_("Name of the system"), max_length=100)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].choices = [(name, _(model.label)) for name, model in TRANSFERS.items()]
        self.fields["direction"].queryset = study.directions.all()
