"""The page of a study's members. Authorization sets `request.study`."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.actions.withdraw_invitation import withdraw_invitation
from accounts.forms.people import ROLES, InviteForm
from accounts.mail.access_link_mail import deliver_link
from accounts.permissions import Role
from corpora.actions.invite_member import Invited, invite_member
from corpora.actions.remove_member import remove_member
from corpora.actions.set_member_role import set_member_role
from corpora.models import Study
from foundation.errors import UserError

STUDY_ROLES = [(role, label) for role, label in ROLES if role != Role.ADMIN]


class InviteMemberForm(InviteForm):
    role = forms.ChoiceField(label=gettext_lazy("Role in this study"), choices=STUDY_ROLES, initial="expert_annotator")


class MemberRoleForm(forms.Form):
    role = forms.ChoiceField(choices=STUDY_ROLES)


def open_invitations(study: Study) -> Any:
    """The study's invitations that can still be accepted."""
    waiting = study.invitations.filter(link__used_at__isnull=True, link__expires_at__gt=timezone.now())
    return waiting.select_related("link").order_by("pk")


@require_http_methods(["GET", "HEAD", "POST"])
def study_members(request: Any, study: str) -> HttpResponse:
    """The members, and a form that brings somebody in. A new person's link is in the answer and nowhere else."""
    form, handed = InviteMemberForm(request.POST or None), None
    if form.is_valid():
        try:
            invited = invite_member(study=request.study, **form.cleaned_data, by=request.user)
        except UserError as error:
            form.add_error(None, str(error))
        else:
            form, handed = InviteMemberForm(), _handed(request, invited)
    context = {
        "form": form, "handed": handed, "roles": STUDY_ROLES, "role_labels": dict(STUDY_ROLES),
        "members": request.study.memberships.select_related("person"), "invitations": open_invitations(request.study),
    }  # fmt: skip
    return render(request, "corpora/members.html", context, status=422 if form.errors else 200)


def _handed(request: Any, invited: Invited) -> dict[str, Any] | None:
    if invited.link:
        return deliver_link(request, invited.link, invited.secret)
    messages.success(request, _("%(person)s is a member now.") % {"person": invited.membership.person})
    return None


@require_POST
def study_member_role(request: Any, study: str, member: int) -> HttpResponse:
    membership, form = get_object_or_404(request.study.memberships, pk=member), MemberRoleForm(request.POST)
    role = form.cleaned_data["role"] if form.is_valid() else ""
    if not role:
        messages.error(request, _("Choose one of the roles."))
        return redirect("study_members", study=study)
    return _do(request, lambda: set_member_role(membership=membership, role=role, by=request.user), _("Role changed."))


@require_POST
def study_member_remove(request: Any, study: str, member: int) -> HttpResponse:
    membership = get_object_or_404(request.study.memberships, pk=member)
    return _do(request, lambda: remove_member(membership=membership, by=request.user), _("The member is removed."))


@require_POST
def study_invitation_withdraw(request: Any, study: str, invitation: int) -> HttpResponse:
    link = get_object_or_404(open_invitations(request.study), pk=invitation).link
    return _do(request, lambda: withdraw_invitation(link=link), _("The invitation is withdrawn."))


def _do(request: HttpRequest, action: Callable[[], object], done: str) -> HttpResponse:
    try:
        action()
        messages.success(request, done)
    except UserError as error:
        messages.error(request, str(error))
    return redirect("study_members", study=request.study.slug)
