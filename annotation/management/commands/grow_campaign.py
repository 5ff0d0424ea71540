from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.actions.grow_campaign import grow_campaign
from corpora.models import Study
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Add further texts to a campaign that runs, or more people per item."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--texts", default="0", help="how many texts that it does not have yet, or all")
        parser.add_argument("--overlap", type=int, help="how many people work at each item from now on")

    def handle(self, *, slug: str, campaign: str, texts: str, overlap: int | None, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"There is no study '{slug}'.")
        chosen = study.campaigns.filter(slug=campaign).first()
        if chosen is None:
            raise CommandError(f"The study has no campaign '{campaign}'.")
        if texts != "all" and not (texts.isascii() and texts.isdigit()):
            raise CommandError("--texts is a number, or all.")
        try:
            grown = grow_campaign(
                campaign=chosen, texts=None if texts == "all" else int(texts), overlap=overlap, by=None
            )
        except UserError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"New items: {grown.items}. New work: {grown.assignments} answers.")
