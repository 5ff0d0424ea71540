"""The forms of a study's members."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import ROLES
from accounts.permissions import Role

STUDY_ROLES = [(role, label) for role, label in ROLES if role != Role.ADMIN]


class AddressesField(forms.CharField):
    """E-mail addresses: one a line, with commas or semicolons between them, or as mail programs copy them."""

    def clean(self, value: object) -> list[str]:
        pieces = super().clean(value).replace(";", ",").replace("\n", ",").split(",")
        return [address for piece in pieces for address in _addresses(piece)]


def _addresses(piece: str) -> list[str]:
    """The address within `Name <address>`, or all words of the piece."""
    _before, bracket, after = piece.partition("<")
    return [after.partition(">")[0].strip()] if bracket else piece.split()


class InviteMembersForm(forms.Form):
    email = AddressesField(
        label=_("E-mail addresses"), max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("One or many: a line each, or with commas between them."),
    )  # fmt: skip
    role = forms.ChoiceField(
        label=_("Role in this study"), choices=STUDY_ROLES, initial="expert_annotator",
        help_text=_(
            "Researchers set up and run the study. Reviewers see the study and decide on answers. Annotators see "
            "only the work of campaigns for their role."
        ),
    )  # fmt: skip


class MemberRoleForm(forms.Form):
    role = forms.ChoiceField(choices=STUDY_ROLES)
