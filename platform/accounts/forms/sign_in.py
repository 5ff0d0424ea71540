"""allauth's forms of signing in and of a forgotten password, as they look here."""

from allauth.account.forms import LoginForm, ResetPasswordForm
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class SignIn(LoginForm):
    """allauth's form, without words inside its fields, and with nothing between the e-mail address and the password."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""
        self.fields["remember"].label = _("Stay signed in on this device")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class ResetByMail(ResetPasswordForm):
    """allauth's form where mail can be sent; elsewhere it takes nothing and the page says to ask an admin."""

    @property
    def mail_works(self) -> bool:
        return settings.HAS_MAIL_SERVER

    def clean(self) -> dict[str, object]:
        if not self.mail_works:
            raise forms.ValidationError(_("No mail server is set here. Ask an admin for a link."))
        return super().clean()
