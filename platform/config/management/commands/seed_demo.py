from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import Person
from demo.seed import seed_demo


class Command(BaseCommand):
    help = "Fill the embedded database with the demo studies and people of every role, and print their sign-ins."

    def add_arguments(self, parser):
        parser.add_argument("--small", action="store_true", help="Leave out the study of three hundred sentences.")

    def handle(self, *, small, **options):
        if not settings.EMBEDDED:
            raise CommandError("The demo goes only into the embedded database.")
        if Person.objects.exists():
            raise CommandError("There are people in the database already; the demo goes only into an empty one.")
        people = seed_demo(whole=not small)
        for role, (person, password) in people.items():
            self.stdout.write(f"  {role:<17} {person.email:<28} {password}")
