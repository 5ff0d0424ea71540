from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from accounts.telling import TellingForm
from corpora.models import Study
from modelserving.actions.start_training import MOST_SEED
from modelserving.models import TrainingRun


class TrainingForm(TellingForm):
    """What is trained, on which direction, and how it is called. Its options are a form of their own."""

    model = forms.ChoiceField(label=_("Model"), error_messages={"required": _("Choose a model.")})
    direction = forms.ModelChoiceField(
        label=_("Direction"), queryset=None, required=False, empty_label=_("The study's only one"),
        help_text=_("A model of pairs learns one direction; a model of two styles learns both at once."),
    )  # fmt: skip
    name = forms.CharField(
        label=_("Name"), max_length=100, required=False, help_text=_("The model and its seed where it is left out."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )  # fmt: skip
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=MOST_SEED, initial=1,
        help_text=_("The same seed, data and options give the same model again."),
    )  # fmt: skip
    device = forms.ChoiceField(label=_("Device"), choices=TrainingRun.Device.choices)

    def __init__(self, *args: Any, study: Study, names: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "model", [(name, name) for name in names])
        directions = study.directions.order_by("number")
        self.fields["direction"].queryset = directions
        if len(directions) == 1:
            self.fields["direction"].empty_label = None
