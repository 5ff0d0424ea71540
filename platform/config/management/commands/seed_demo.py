from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import Person
from demo.seed import seed_demo


class Command(BaseCommand):
    help = "Fill the embedded database with the demo study and people of every role, and print their sign-ins."

    def handle(self, **options):
        if not settings.EMBEDDED:
            raise CommandError("The demo goes only into the embedded database.")
        if Person.objects.exists():
            raise CommandError("There are people in the database already; the demo goes only into an empty one.")
        people = seed_demo()
        for role, (person, password) in people.items():
            self.stdout.write(f"  {role:<17} {person.email:<28} {password}")
