"""How allauth behaves here: people come by invitation only."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal.ratelimit import RateLimitUsage, consume, get_ip
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actions.change_password import change_password
from accounts.authentication import end_tokens, known_as, remember
from accounts.models import Person
from accounts.permissions import Refused


class InvitedOnly(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "guessed_from_many_places": gettext_lazy(
            "Too many failed sign-ins to this account from several places. Use a browser in which you signed in "
            "before, choose a new password by a link, or wait."
        ),
    }

    def is_open_for_signup(self, request: Any) -> bool:
        return False

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether to ask for the password again: a person who signs in through a provider alone has none here."""
        required = super().is_reauthentication_required(app=app, **more)
        return required and bool(self.get_reauthentication_methods(self.request.user))

    def pre_authenticate(self, request: Any, **credentials: Any) -> None:
        """Count wrong passwords. allauth itself counts them by address, and by account with address (`_get_login...`).

        A browser in which the owner has signed in before is counted apart, whatever others of the address do. All other
        browsers are counted together too: somebody with many addresses has no more guesses at one account.
        """
        email = str(credentials.get("email") or "").lower()
        if browser := known_as(request, email):
            self._count(request, "login_failed_at_home", browser, "too_many_login_attempts")
            return
        super().pre_authenticate(request, **credentials)
        self._count(request, "login_failed_anywhere", email, "guessed_from_many_places")

    def _count(self, request: Any, action: str, key: str, refusal: str) -> None:
        """Count one more, to be taken back where the password is right; or raise the refusal."""
        usage = consume(request, app="allauth.account", action=action, key=key)
        if not usage:
            raise self.validation_error(refusal)
        before = getattr(self, "_login_failed_rl_usage", None)
        self._login_failed_rl_usage = RateLimitUsage([*(before.usage if before else ()), *usage.usage])

    def _get_login_attempts_cache_key(self, request: Any, **credentials: Any) -> str:
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{get_ip(request)}"

    def post_login(self, request: Any, user: Any, **more: Any) -> Any:
        answer = super().post_login(request, user, **more)
        remember(answer, user)
        return answer

    def set_password(self, user: Any, password: str) -> None:
        change_password(person=user, password=password)

    def get_password_change_redirect_url(self, request: Any) -> str:
        return reverse("account_settings")


class InvitedOnlySocial(DefaultSocialAccountAdapter):
    """A provider's identity leads to the person with its e-mail address, if the provider vouches for the address.

    On the first time allauth removes a password that was set without proof of the address, so that whoever opened
    another's invitation does not share the account; then it keeps the identity. The tokens made until then end, too.
    """

    def is_open_for_signup(self, request: Any, sociallogin: Any) -> bool:
        return False

    def authenticate_by_email(self, sociallogin: Any) -> tuple[Person, str] | None:
        email = vouched_email(sociallogin)
        person = Person.objects.filter(email=email, is_active=True).first() if email else None
        if person is None:
            return None
        if person.has_usable_password():
            end_tokens(person)
            messages.info(self.request, _("You signed in through your provider for the first time; a password that you "
                                          "had here no longer works."))  # fmt: skip
        return person, email

    def pre_social_login(self, request: Any, sociallogin: Any) -> None:
        """A signed-in person may not tie somebody else's identity to their account."""
        if sociallogin.state.get("process") == "connect" and vouched_email(sociallogin) != request.user.email:
            raise Refused(_("This identity has another e-mail address than your account."))


def vouched_email(sociallogin: Any) -> str:
    """The identity's e-mail address in lower case if its provider says that it is verified, else ''.

    Where a provider says nothing of it, an address of a domain with which the settings trust this provider will do.
    """
    data = sociallogin.account.get_provider_account().get_user_data() or {}
    email, verified = str(data.get("email") or "").lower(), data.get("email_verified")
    if verified is True or verified == "true":
        return email
    trusted = sociallogin.account.get_provider().app.settings.get("trusted_domains", ())
    return email if verified is None and email.rpartition("@")[2] in trusted else ""
