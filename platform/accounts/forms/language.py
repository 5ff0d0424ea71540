"""The form of the interface's language; each is named in itself, so that who reads no other finds it."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class LanguageForm(forms.Form):
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        help_text=_("Of the pages and of mail. The texts of a study stay as they are."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("As the browser asks")), *settings.LANGUAGES]
