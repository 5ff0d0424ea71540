"""The page of a study's members. Authorization sets `request.study`."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.actions.withdraw_invitation import withdraw_invitation
from accounts.mail import deliver_link
from accounts.telling import telling
from corpora.actions.invite_members import InvitedLine, invite_members
from corpora.actions.remove_member import remove_member
from corpora.actions.set_member_role import set_member_role
from corpora.forms.members import STUDY_ROLES, InviteMembersForm, MemberRoleForm
from corpora.forms.search import MembersForm
from corpora.members import open_invitations
from corpora.models import Membership, Study

# The members of a study on a page: searched, filtered by role, in an order, fifty at a time.

A_PAGE = 50
FEW = 10  # members that are looked through without a search
ORDERS = {
    "": ("person__email",), "name": ("person__name", "person__email"), "role": ("role", "person__email"),
    "-made_at": ("-made_at", "pk"),
}  # fmt: skip


def members_page(request: Any) -> dict[str, Any]:
    """The context of the page of members, with those that its address asks for."""
    search = MembersForm(request.GET, auto_id="find_%s")
    page = Paginator(find_members(request.study, search.asked), A_PAGE).get_page(request.GET.get("page"))
    narrowed = search.has_changed()
    many = narrowed or page.paginator.count > FEW
    return {
        "page": page, "members": page.object_list, "search": search if many else None, "narrowed": narrowed,
        "here": reverse("study_members", args=[request.study.slug]),
    }  # fmt: skip


def find_members(study: Study, asked: Mapping[str, Any]) -> QuerySet[Membership]:
    """The study's members with a `role` and with `q` in their name or e-mail address, in the order of `sort`."""
    found = study.memberships.select_related("person")
    if role := asked.get("role"):
        found = found.filter(role=role)
    if q := asked.get("q"):
        found = found.filter(Q(person__name__icontains=q) | Q(person__email__icontains=q))
    return found.order_by(*ORDERS[asked.get("sort") or ""])


@require_http_methods(["GET", "HEAD", "POST"])
def study_members(request: Any, study: str) -> HttpResponse:
    """The members, and a form that invites people. A new person's link is in the answer and nowhere else."""
    form, handed, invited = InviteMembersForm(request.POST or None), None, []
    if form.is_valid():
        with telling(form):
            lines = invite_members(
                study=request.study, emails=form.cleaned_data["email"], role=form.cleaned_data["role"], by=request.user
            )
            invited = [_line(request, line) for line in lines]
            form, handed = _after(request, form, invited)
    context = {
        "form": form, "handed": handed, "invited": invited if len(invited) > 1 else [], "roles": STUDY_ROLES,
        "role_labels": dict(STUDY_ROLES), "invitations": open_invitations(request.study), **members_page(request),
    }  # fmt: skip
    return render(request, "corpora/members.html", context, status=422 if form.errors else 200)


def _line(request: Any, line: InvitedLine) -> dict[str, Any]:
    """The page's line for one address; a link goes out by mail where that is set up."""
    link = line.invited.link if line.invited else None
    handed = deliver_link(request, link, line.invited.secret) if line.invited and link else None
    return {"email": line.email, "error": line.error, "handed": handed}


def _after(request: Any, form: InviteMembersForm, invited: list[dict[str, Any]]) -> tuple[Any, Any]:
    """The form that comes next, which holds the addresses that were not invited, and the link of a single address."""
    if len(invited) > 1:
        left = [one["email"] for one in invited if one["error"]]
        return InviteMembersForm(initial={"email": "\n".join(left), "role": form.cleaned_data["role"]}), None
    [only] = invited
    if only["error"]:
        form.add_error("email", only["error"])
        return form, None
    if only["handed"] is None:
        messages.success(request, _("%(person)s is a member now.") % {"person": only["email"]})
    return InviteMembersForm(), only["handed"]


@require_POST
def study_member_role(request: Any, study: str, member: int) -> HttpResponse:
    membership, form = get_object_or_404(request.study.memberships, pk=member), MemberRoleForm(request.POST)
    role = form.cleaned_data["role"] if form.is_valid() else ""
    if not role:
        messages.error(request, _("Choose one of the roles."))
        return redirect("study_members", study=study)
    return _do(
        request, lambda: set_member_role(membership=membership, role=role, by=request.user), _("The role is changed.")
    )


@require_POST
def study_member_remove(request: Any, study: str, member: int) -> HttpResponse:
    membership = get_object_or_404(request.study.memberships, pk=member)
    return _do(request, lambda: remove_member(membership=membership, by=request.user), _("The member is removed."))


@require_POST
def study_invitation_withdraw(request: Any, study: str, invitation: int) -> HttpResponse:
    link = get_object_or_404(open_invitations(request.study), pk=invitation).link
    return _do(request, lambda: withdraw_invitation(link=link), _("The invitation is withdrawn."))


def _do(request: Any, action: Callable[[], object], done: str) -> HttpResponse:
    with telling(request):
        action()
        messages.success(request, done)
    return redirect("study_members", study=request.study.slug)
