"""How a real installation begins: its first admin."""

import os
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from accounts.actions.change_role import change_role
from accounts.actions.make_reset_link import make_reset_link
from accounts.fields import InvitationFields
from accounts.mail import link_path
from accounts.management.telling import TellingCommand
from accounts.models import Person
from accounts.permissions import Role
from foundation.options import option_named

EMAIL = option_named(InvitationFields, "email")


class Command(TellingCommand):
    help = "Make EMAIL an admin, creating the person where there is none, and print a link to set the password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="")
        parser.add_argument(
            "--site", default=f"http://127.0.0.1:{os.environ.get('PORT', '8000')}", help="the site's address"
        )

    @transaction.atomic
    def handle(self, *, email: str, name: str, site: str, **options: Any) -> None:
        email = EMAIL.check(email)
        person = Person.objects.filter(email=email).first()
        if person is None:
            person = Person.objects.create_user(email, name=name, role=Role.ADMIN)
        if not person.is_active:
            raise CommandError(f"{email} is deactivated: an admin can reactivate them on the page of people.")
        change_role(person=person, role=Role.ADMIN)
        link, secret = make_reset_link(person=person, by=person)
        self.stdout.write(f"{email} is an admin. The password is set here, once, until {link.expires_at:%d %B %Y}:")
        self.stdout.write(site.rstrip("/") + link_path(link, secret))
