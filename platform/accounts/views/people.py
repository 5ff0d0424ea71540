"""The pages on which admins invite people, change roles, and let people in and out."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.actions.change_role import change_role
from accounts.actions.deactivate_person import deactivate_person
from accounts.actions.erase_person import erase_person
from accounts.actions.invite_person import invite_person
from accounts.actions.make_reset_link import make_reset_link
from accounts.actions.reactivate_person import reactivate_person
from accounts.actions.remove_credential import remove_credential
from accounts.actions.remove_second_step import remove_second_step
from accounts.actions.set_credential import set_credential
from accounts.actions.withdraw_invitation import withdraw_invitation
from accounts.authentication import open_invitations
from accounts.forms import ROLE_LABELS, CredentialForm, InviteForm, RoleForm
from accounts.mail import deliver_link
from accounts.models import AccessLink, Person
from accounts.telling import form_page, telling

PER_PAGE = 50


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    page = Paginator(Person.objects.people(), PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "invitations": open_invitations(), "role_labels": ROLE_LABELS}
    return render(request, "accounts/people.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def people_invite(request: Any) -> HttpResponse:
    form = InviteForm(request.POST or None)
    if form.is_valid():
        with telling(form):
            link, secret = invite_person(**form.cleaned_data, by=request.user)
            return form_page(request, "accounts/invite.html", InviteForm(), handed=deliver_link(request, link, secret))
    return form_page(request, "accounts/invite.html", form)


@require_POST
def people_withdraw(request: HttpRequest, link: int) -> HttpResponse:
    """Withdraw an open invitation."""
    invitation = get_object_or_404(AccessLink, pk=link, purpose=AccessLink.Purpose.INVITATION)
    return _do(request, lambda: withdraw_invitation(link=invitation), _("The invitation is withdrawn."), "people")


@require_safe
def person(request: HttpRequest, person: int) -> HttpResponse:
    return _page_of(request, get_object_or_404(Person, pk=person))


@require_POST
def person_role(request: HttpRequest, person: int) -> HttpResponse:
    whose, form = get_object_or_404(Person, pk=person), RoleForm(request.POST)
    if not form.is_valid():
        return _page_of(request, whose, form=form, status=422)
    return _do_to(
        request, whose, lambda: change_role(person=whose, role=form.cleaned_data["role"]), _("The role is changed.")
    )


@require_POST
def person_deactivate(request: HttpRequest, person: int) -> HttpResponse:
    whose = get_object_or_404(Person, pk=person)
    return _do_to(request, whose, lambda: deactivate_person(person=whose), _("The person can no longer sign in."))


@require_POST
def person_reactivate(request: HttpRequest, person: int) -> HttpResponse:
    whose = get_object_or_404(Person, pk=person)
    return _do_to(request, whose, lambda: reactivate_person(person=whose), _("The person can sign in again."))


@require_POST
def person_second_step(request: HttpRequest, person: int) -> HttpResponse:
    """Remove a lost second step."""
    whose = get_object_or_404(Person, pk=person)
    return _do_to(request, whose, lambda: remove_second_step(person=whose), _("The second step is removed."))


@require_POST
def person_erase(request: Any, person: int) -> HttpResponse:
    """Take a person's identity away for good."""
    whose = get_object_or_404(Person, pk=person)
    done = _("The person's identity is erased; their work stays under a pseudonym.")
    return _do_to(request, whose, lambda: erase_person(person=whose, by=request.user), done)


@require_POST
def person_credential(request: Any, person: int) -> HttpResponse:
    """Verify a credential, or take one away."""
    whose = get_object_or_404(Person, pk=person)
    if "remove" in request.POST:
        gone = get_object_or_404(whose.credentials, name=request.POST["remove"])
        return _do_to(request, whose, lambda: remove_credential(credential=gone), _("The credential is removed."))
    form = CredentialForm(request.POST)
    if not form.is_valid():
        return _page_of(request, whose, credential_form=form, status=422)
    given = form.cleaned_data
    return _do_to(
        request, whose, lambda: set_credential(person=whose, **given, by=request.user), _("The credential is verified.")
    )


@require_POST
def person_reset_link(request: Any, person: int) -> HttpResponse:
    whose = get_object_or_404(Person, pk=person)
    with telling() as told:
        link, secret = make_reset_link(person=whose, by=request.user)
        return _page_of(request, whose, handed=deliver_link(request, link, secret))
    return _page_of(request, whose, problem=str(told.error), status=422)


def _page_of(request: HttpRequest, whose: Person, *, status: int = 200, **context: Any) -> HttpResponse:
    second_step = Authenticator.objects.filter(user=whose).exists()
    context = {"form": RoleForm(initial={"role": whose.role}), "credential_form": CredentialForm()} | context
    context |= {"credentials": whose.credentials.select_related("verified_by")}
    context |= {"person": whose, "role": ROLE_LABELS[whose.role], "second_step": second_step}
    return render(request, "accounts/person.html", context, status=status)


def _do_to(request: HttpRequest, whose: Person, action: Callable[[], object], done: str) -> HttpResponse:
    return _do(request, action, done, "person", whose.pk)


def _do(request: HttpRequest, action: Callable[[], object], done: str, *where: Any) -> HttpResponse:
    with telling(request):
        action()
        messages.success(request, done)
    return redirect(where[0], *where[1:])
