"""Sign-ins, failed ones, sign-outs and second steps, as rows of the audit log.

What was typed is kept of none of them: into the wrong field people type passwords, too.
"""

from typing import Any

from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver

from accounts.audit.events import log_event
from accounts.models import Person, TrailEntry

SIGN_IN, CHANGE = TrailEntry.Kind.SIGN_IN, TrailEntry.Kind.CHANGE


@receiver(user_logged_in, dispatch_uid="accounts.signed_in")
def signed_in(user: Person, **kwargs: Any) -> None:
    log_event(user, SIGN_IN, "sign_in")


@receiver(user_logged_out, dispatch_uid="accounts.signed_out")
def signed_out(user: Person | None, **kwargs: Any) -> None:
    if user is not None:
        log_event(user, SIGN_IN, "sign_out")


@receiver(user_login_failed, dispatch_uid="accounts.not_signed_in")
def not_signed_in(credentials: dict[str, Any], **kwargs: Any) -> None:
    """It stands under the person whose account was tried, if there is one; who tried it nobody knows."""
    tried = str(credentials.get("email") or "").lower()
    log_event(Person.objects.filter(email=tried).first() if tried else None, SIGN_IN, "sign_in_failed")


@receiver(authentication_failed, dispatch_uid="accounts.wrong_code")
def wrong_code(user: Person, **kwargs: Any) -> None:
    log_event(user, SIGN_IN, "second_step_failed")


@receiver(authenticator_added, dispatch_uid="accounts.second_step_added")
def second_step_added(user: Person, authenticator: Any, **kwargs: Any) -> None:
    log_event(user, CHANGE, "add_second_step", target=f"person {user.pk}", details={"type": str(authenticator.type)})


@receiver(authenticator_removed, dispatch_uid="accounts.second_step_removed")
def second_step_removed(user: Person, authenticator: Any, **kwargs: Any) -> None:
    log_event(user, CHANGE, "drop_second_step", target=f"person {user.pk}", details={"type": str(authenticator.type)})
