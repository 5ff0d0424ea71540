from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.actions.grow_campaign import grow_campaign
from annotation.campaigns.requested import campaign_named
from corpora.management.commands._base import StudyCommand
from corpora.models import Study


class Command(StudyCommand):
    help = "Add further texts to a campaign that runs, or more people per item."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("--texts", default="0", help="how many texts that it does not have yet, or all")
        parser.add_argument("--overlap", type=int, help="how many people work at each item from now on")

    def act(
        self, study: Study, *, campaign: str = "", texts: str = "0", overlap: int | None = None, **options: Any
    ) -> None:
        chosen = campaign_named(study, campaign)
        if texts != "all" and not (texts.isascii() and texts.isdigit()):
            raise CommandError("--texts is a number, or all.")
        grown = grow_campaign(campaign=chosen, texts=None if texts == "all" else int(texts), overlap=overlap, by=None)
        self.stdout.write(f"New items: {grown.items}. New work: {grown.assignments} answers.")
