"""Handing an access link to its bearer: as an address to copy, and by mail where a mail server is set."""

import logging
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import AccessLink, Person

ROUTE = {AccessLink.Purpose.INVITATION: "join", AccessLink.Purpose.PASSWORD_RESET: "reset"}
log = logging.getLogger(__name__)


def link_path(link: AccessLink, secret: str) -> str:
    """The path that the link opens."""
    return reverse(ROUTE[AccessLink.Purpose(link.purpose)], args=[secret])


def deliver_link(request: Any, link: AccessLink, secret: str) -> dict[str, Any]:
    """Mail the link where possible, and return the values to show once; `mailed` says whether it went out."""
    url = request.build_absolute_uri(link_path(link, secret))
    return {"url": url, "email": _to(link), "expires_at": link.expires_at, "mailed": _mailed(link, url)}


def _to(link: AccessLink) -> str:
    return link.email or (link.person.email if link.person else "")


def _mailed(link: AccessLink, url: str) -> bool:
    if not settings.HAS_MAIL_SERVER:
        return False
    invited = link.purpose == AccessLink.Purpose.INVITATION
    with translation.override(_language(link)):
        subject = _("You are invited to Restyle") if invited else _("Choose a new password for Restyle")
        body = render_to_string("accounts/mail/access_link.txt", {"link": link, "url": url, "invited": invited})
    try:
        return bool(send_mail(subject, body, None, [_to(link)]))
    except (SMTPException, OSError):
        log.exception("The mail server did not take a message.")
        return False


def _language(link: AccessLink) -> str | None:
    """The recipient's language, where they chose one; else that of the sender, since theirs is not known."""
    person = link.person or Person.objects.filter(email=link.email).first()
    return (person and person.interface_language) or translation.get_language()
