"""The forms of a study's members."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import ROLES
from accounts.option_fields import DeclaredForm, UncutField
from accounts.permissions import Role
from corpora.fields import MemberFields

STUDY_ROLES = [(role, label) for role, label in ROLES if role != Role.ADMIN]


class AddressesField(UncutField):
    """E-mail addresses: one a line, with commas or semicolons between them, or as mail programs copy them."""

    def clean(self, value: object) -> list[str]:
        pieces = super().clean(value).replace(";", ",").replace("\n", ",").split(",")
        return [address for piece in pieces for address in _addresses(piece)]


def _addresses(piece: str) -> list[str]:
    """The address within `Name <address>`, or all words of the piece."""
    _before, bracket, after = piece.partition("<")
    return [after.partition(">")[0].strip()] if bracket else piece.split()


class InviteMembersForm(DeclaredForm):
    declared = MemberFields
    in_form = {
        "email": {
            "kind": AddressesField, "label": _("E-mail addresses"), "max_length": 20_000,
            "widget": forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
            "help_text": _("One or more, one per line or with commas between them."),
        },
        "role": {"choices": STUDY_ROLES, "initial": Role.EXPERT_ANNOTATOR.value},
    }  # fmt: skip


class MemberRoleForm(DeclaredForm):
    declared, names = MemberFields, ("role",)
