from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.option_fields import offer
from notifications.kinds import KINDS


class NotificationsForm(forms.Form):
    wanted = forms.MultipleChoiceField(
        label=_("Mail me about"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("You get plain mail, at most one a day, and none if nothing is new."),
    )  # fmt: skip

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        told = _("{label}: {about}")
        offer(self, "wanted", [(kind.name, told.format(label=kind.label, about=kind.about)) for kind in KINDS])
