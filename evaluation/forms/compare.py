"""The form by which two systems and their sentences are chosen; it is sent by GET, so the address holds all of it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from corpora.models import Study
from evaluation.forms.choice import SPLIT_LABELS

FALLBACK = {"of": "difference", "order": "highest", "against": "other"}


class CompareForm(forms.Form):
    """Two systems, whose sentences are meant, how they are sorted, and against what differences are marked."""

    first = forms.ChoiceField(label=_("System"))
    second = forms.ChoiceField(label=_("and system"))
    split = forms.ChoiceField(label=_("Sentences"), required=False)
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    search = forms.CharField(label=_("Search"), required=False, max_length=200)
    by = forms.ChoiceField(label=_("Sort by"), required=False)
    of = forms.ChoiceField(label=_("of it"), required=False)
    order = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("highest", _("Highest first")), ("lowest", _("Lowest first"))]
    )
    outcome = forms.CharField(required=False, widget=forms.HiddenInput)
    differing = forms.BooleanField(label=_("Only outputs that differ"), required=False)
    against = forms.ChoiceField(
        label=_("Mark differences"), required=False,
        choices=[("other", _("from each other")), ("source", _("from the source"))],
    )  # fmt: skip

    def __init__(self, data: Any, *, study: Study, names: tuple[str, str], measures: Any = ()) -> None:
        super().__init__({**FALLBACK, "first": names[0], "second": names[1], **data})
        systems = [(name, name) for name in study.systems.values_list("name", flat=True)]
        directions = [(str(place), direction.name) for place, direction in enumerate(study.directions.all())]
        self.fields["first"].choices = self.fields["second"].choices = systems
        self.fields["split"].choices = [("", _("as in the report")), *list(SPLIT_LABELS.items())[1:]]
        self.fields["direction"].choices = [("", _("all")), *directions]
        if len(directions) < 2:
            del self.fields["direction"]
        self.fields["by"].choices = [("", _("order of the study")), *[(one.key, one.label) for one in measures]]
        self.fields["of"].choices = [
            ("difference", _("the difference")), ("first", names[0]), ("second", names[1]),
        ]  # fmt: skip
