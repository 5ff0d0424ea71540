"""The form that narrows the audit log."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import TrailEntry

DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class TrailForm(forms.Form):
    """Which part of the audit log is looked at; what is left empty narrows nothing."""

    q = forms.CharField(label=_("Action or object"), max_length=100, required=False)
    person = forms.CharField(label=_("Person: name or address"), max_length=254, required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("All")), *TrailEntry.Kind.choices])
    study = forms.CharField(label=_("Study: short name"), max_length=80, required=False)
    since = forms.DateField(label=_("From"), required=False, widget=DAY)
    until = forms.DateField(label=_("Until"), required=False, widget=DAY)
    sort = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("", _("Newest first")), ("oldest", _("Oldest first"))]
    )
