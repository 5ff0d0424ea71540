"""The forms of people, links, tokens and the audit log."""

from typing import Any

from allauth.account.forms import LoginForm, ResetPasswordForm
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.fields import CredentialFields, InvitationFields, ProfileFields, TokenFields
from accounts.models import AuditEntry
from accounts.option_fields import DeclaredForm, UncutField, form_field
from accounts.permissions import Role
from accounts.telling import TellingForm
from foundation.options import option_named

DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class TrailForm(forms.Form):
    """Filters of the audit log; an empty one narrows nothing."""

    q = forms.CharField(label=_("Action or object"), max_length=100, required=False)
    person = forms.CharField(label=_("Person: name or address"), max_length=254, required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("All")), *AuditEntry.Kind.choices])
    study = forms.CharField(label=_("Study: short name"), max_length=80, required=False)
    since = forms.DateField(label=_("From"), required=False, widget=DAY)
    until = forms.DateField(label=_("Until"), required=False, widget=DAY)
    sort = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("", _("Newest first")), ("oldest", _("Oldest first"))]
    )


# The form of the interface's language; each is named in itself, so that who reads no other finds it.


class LanguageSelect(forms.Select):
    """A choice of languages, each read aloud in itself."""

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        made = super().create_option(name, value, *args, **options)
        return {**made, "attrs": {**made["attrs"], "lang": value}} if value else made


class LanguageForm(TellingForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = form_field(option_named(ProfileFields, "interface_language"), widget=LanguageSelect)


# The forms of people, links and tokens.

ROLES = [
    (Role.ADMIN.value, _("Admin")),
    (Role.RESEARCHER.value, _("Researcher")),
    (Role.REVIEWER.value, _("Reviewer")),
    (Role.EXPERT_ANNOTATOR.value, _("Expert annotator")),
    (Role.CROWD_ANNOTATOR.value, _("Crowd annotator")),
]
ROLE_LABELS = dict(ROLES)
DAYS = [(7, _("a week")), (30, _("30 days")), (90, _("90 days")), (365, _("a year"))]


def new_password_field() -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    return forms.CharField(
        label=_("Password"), strip=False, widget=widget, help_text=_("At least 10 characters, and not a common one.")
    )


class InviteForm(DeclaredForm):
    declared = InvitationFields
    in_form = {
        "email": {
            "kind": forms.EmailField, "max_length": 254, "widget": forms.EmailInput(attrs={"autocomplete": "off"}),
        },
        "role": {"choices": ROLES, "initial": Role.EXPERT_ANNOTATOR.value},
    }  # fmt: skip


class RoleForm(DeclaredForm):
    declared, names, in_form = InvitationFields, ("role",), {"role": {"choices": ROLES}}


NAME = {"required": True, "widget": forms.TextInput(attrs={"autocomplete": "name"})}


class JoinForm(DeclaredForm):
    declared, names, declared_first = ProfileFields, ("name",), True
    in_form = {"name": {**NAME, "label": _("Your name"), "help_text": ""}}
    password = new_password_field()


class NewPasswordForm(forms.Form):
    password = new_password_field()


class NameForm(DeclaredForm):
    declared, names, in_form = ProfileFields, ("name",), {"name": NAME}


class ListField(UncutField):
    """Words with commas between them."""

    def clean(self, value: object) -> list[str]:
        return [one.strip() for one in super().clean(value).replace("\n", ",").split(",") if one.strip()]

    def prepare_value(self, value: object) -> object:
        return ", ".join(value) if isinstance(value, list) else value


class ProfileForm(DeclaredForm):
    declared, names = ProfileFields, ("languages", "topics")
    in_form = {
        "languages": {"kind": ListField, "max_length": 1500},
        "topics": {"kind": ListField, "max_length": 6000, "widget": forms.TextInput(attrs={"dir": "auto"})},
    }


class CredentialForm(DeclaredForm):
    declared, declared_first = CredentialFields, True
    in_form = {"name": {"required": True}, "evidence": {"widget": forms.TextInput(attrs={"dir": "auto"})}}
    expires_on = forms.DateField(
        label=_("Valid until"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class TokenForm(DeclaredForm):
    declared = TokenFields
    in_form = {
        "name": {"required": True}, "scopes": {"required": True, "initial": ["read"]},
        "days": {"kind": forms.TypedChoiceField, "choices": DAYS, "coerce": int, "required": True},
    }  # fmt: skip


# allauth's forms of signing in and of a forgotten password, as they look here.


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
