"""The pages that an access link opens: join by invitation, or choose a new password."""

from typing import Any

from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.actions.accept_as_person import accept_as_person
from accounts.actions.accept_invitation import accept_invitation
from accounts.actions.reset_password import reset_password
from accounts.authentication import open_link, remember
from accounts.forms import JoinForm, NewPasswordForm
from accounts.models import AccessLink, Person
from foundation.errors import UserError


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: Any, secret: str) -> HttpResponse:
    """Accept an invitation: with name and password, or with the account that its address has by now."""
    try:
        link = open_link(secret, AccessLink.Purpose.INVITATION)
    except UserError as error:
        return _worthless(request, error)
    if Person.objects.filter(email=link.email).exists():
        return _join_as_person(request, secret, link)
    form = JoinForm(request.POST or None)
    if form.is_valid():
        try:
            person = accept_invitation(secret=secret, **form.cleaned_data)
            return perform_login(request, person, email_verification="none")
        except UserError as error:
            form.add_error(None, str(error))
    return render(request, "accounts/join.html", {"form": form, "link": link}, status=422 if form.errors else 200)


def _join_as_person(request: Any, secret: str, link: AccessLink) -> HttpResponse:
    if request.method == "POST" and request.user.is_authenticated:
        try:
            accept_as_person(secret=secret, person=request.user)
            messages.success(request, _("Welcome: the invitation is accepted."))
            return redirect("home")
        except UserError as error:
            messages.error(request, str(error))
    context = {"link": link, "yours": request.user.is_authenticated and request.user.email == link.email}
    return render(request, "accounts/join_as_person.html", context)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, secret: str) -> HttpResponse:
    """Choose a new password by an admin's link; then sign in, second step included."""
    try:
        link = open_link(secret, AccessLink.Purpose.PASSWORD_RESET)
    except UserError as error:
        return _worthless(request, error)
    form = NewPasswordForm(request.POST or None)
    if form.is_valid():
        try:
            person = reset_password(secret=secret, password=form.cleaned_data["password"])
            messages.success(request, _("Your new password is set. Sign in with it."))
            answer = redirect("account_login")
            remember(answer, person)  # where others guess at the account, this browser passes
            return answer
        except UserError as error:
            form.add_error(None, str(error))
    return render(request, "accounts/reset.html", {"form": form, "link": link}, status=422 if form.errors else 200)


def _worthless(request: HttpRequest, error: UserError) -> HttpResponse:
    return render(request, "accounts/worthless_link.html", {"why": str(error)}, status=410)
