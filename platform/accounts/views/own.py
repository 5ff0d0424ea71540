"""A person's own pages: the account and the API tokens."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.actions.edit_profile import edit_profile
from accounts.actions.make_token import make_token
from accounts.actions.rename_person import rename_person
from accounts.actions.revoke_token import revoke_token
from accounts.forms import ROLE_LABELS, LanguageForm, NameForm, ProfileForm, TokenForm
from accounts.telling import form_page, go_on, telling


@require_http_methods(["GET", "HEAD", "POST"])
def account_settings(request: Any) -> HttpResponse:
    form = NameForm(request.POST or None, initial={"name": request.user.name})
    if form.is_valid():
        with telling(form):
            rename_person(person=request.user, name=form.cleaned_data["name"])
            return go_on(request, _("Saved."), "account_settings")
    context = {
        "profile": ProfileForm(initial={"languages": request.user.languages, "topics": request.user.topics}),
        "language": LanguageForm(initial={"language": request.user.interface_language}),
        "credentials": request.user.credentials.all(),
        "role": ROLE_LABELS[request.user.role],
        "second_step": request.user.authenticator_set.exists(),
    }
    return form_page(request, "accounts/settings.html", form, **context)


@require_POST
def account_profile(request: Any) -> HttpResponse:
    """The person's languages and topics: campaigns may ask for them."""
    form = ProfileForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect("account_settings")
    with telling(request):
        edit_profile(person=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
    return redirect("account_settings")


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: Any) -> HttpResponse:
    """The person's tokens; a new one's secret is in the answer to its making and nowhere else."""
    form, made, secret = TokenForm(request.POST or None), None, ""
    if form.is_valid():
        with telling(form):
            made, secret = make_token(person=request.user, **form.cleaned_data)
            form = TokenForm()
    context = {
        "made": made, "secret": secret, "tokens": request.user.tokens.all(), "now": timezone.now(),
        "api": request.build_absolute_uri(reverse("api:me")),
    }  # fmt: skip
    return form_page(request, "accounts/tokens.html", form, **context)


@require_POST
def token_revoke(request: Any, token: int) -> HttpResponse:
    revoke_token(token=get_object_or_404(request.user.tokens, pk=token))
    return go_on(request, _("The token is revoked."), "tokens")
