"""The pages that an access link opens: join by invitation, or choose a new password."""

from typing import Any

from allauth.account.utils import perform_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.actions.accept_as_person import accept_as_person
from accounts.actions.accept_invitation import accept_invitation
from accounts.actions.reset_password import reset_password
from accounts.authentication import open_link, remember
from accounts.forms import JoinForm, NewPasswordForm
from accounts.models import AccessLink, Person
from accounts.telling import form_page, go_on, telling
from foundation.errors import UserError


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: Any, secret: str) -> HttpResponse:
    """Accept an invitation: with name and password, or with the account that its address has by now."""
    with telling() as told:
        link = open_link(secret, AccessLink.Purpose.INVITATION)
    if told.error:
        return _worthless(request, told.error)
    if Person.objects.filter(email=link.email).exists():
        return _join_as_person(request, secret, link)
    form = JoinForm(request.POST or None)
    if form.is_valid():
        with telling(form):
            person = accept_invitation(secret=secret, **form.cleaned_data)
            return perform_login(request, person, email_verification="none")
    return form_page(request, "accounts/join.html", form, link=link)


def _join_as_person(request: Any, secret: str, link: AccessLink) -> HttpResponse:
    if request.method == "POST" and request.user.is_authenticated:
        with telling(request):
            accept_as_person(secret=secret, person=request.user)
            return go_on(request, _("Welcome: the invitation is accepted."), "home")
    context = {"link": link, "yours": request.user.is_authenticated and request.user.email == link.email}
    return render(request, "accounts/join_as_person.html", context)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, secret: str) -> HttpResponse:
    """Choose a new password by an admin's link; then sign in, second step included."""
    with telling() as told:
        link = open_link(secret, AccessLink.Purpose.PASSWORD_RESET)
    if told.error:
        return _worthless(request, told.error)
    form = NewPasswordForm(request.POST or None)
    if form.is_valid():
        with telling(form):
            person = reset_password(secret=secret, password=form.cleaned_data["password"])
            answer = go_on(request, _("Your new password is set. Sign in with it."), "account_login")
            remember(answer, person)  # where others guess at the account, this browser passes
            return answer
    return form_page(request, "accounts/reset.html", form, link=link)


def _worthless(request: HttpRequest, error: UserError) -> HttpResponse:
    return render(request, "accounts/worthless_link.html", {"why": str(error)}, status=410)
