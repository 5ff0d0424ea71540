"""Open a recruitment link for people of a crowd site."""

import re
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.audit import audited
from accounts.authentication import new_secret
from accounts.permissions import Role
from annotation.actions.skip_item import plain
from annotation.models import Campaign, RecruitmentLink
from foundation.errors import UserError
from foundation.options import option, validate_options

CODE = re.compile(r"[A-Za-z0-9_-]+")
CODES = ("completion_code", "screen_out_code")


@dataclass(frozen=True)
class RecruitmentLinkFields:
    """The fields of `open_recruitment_link`."""

    site: str = option("", "", label="Site", choices=RecruitmentLink.Site.choices, required=True)
    training: object = option(
        None, "People take a qualification automatically if the campaign's eligibility rules require one.",
        label="Training before the work", row="training",
    )  # fmt: skip
    completion_code: str = option(
        "", "Prolific automatically approves people who return the code that it knows. Left empty, each person "
        "gets their own code, which you compare with the ledger.", label="Completion code", characters=40,
        clean=str.strip,
    )  # fmt: skip
    screen_out_code: str = option(
        "", "The code for people who fail the qualification or do not meet an eligibility rule.",
        label="Screen-out code",
        characters=40, clean=str.strip,
    )  # fmt: skip
    consent: str = option(
        "", "The text that people read and agree to first: purpose, pay, stored data, contact. It cannot be "
        "changed later; open another link for another text.", label="Consent", characters=20_000, lines=True,
        required=True, clean=plain,
    )  # fmt: skip


@audited
@transaction.atomic
def open_recruitment_link(*, campaign: Campaign, by: Any, **fields: Any) -> RecruitmentLink:
    """A link with a secret of 256 random bits, for one site; people read `consent` and agree to it first.

    The codes are those that the site was told beforehand; where one is "", each person gets a code of their own.
    """
    given = validate_options(RecruitmentLinkFields, fields)
    _check_campaign(campaign)
    _check_training(campaign, fields.get("training"))
    _check_codes({name: getattr(given, name) for name in CODES})
    return RecruitmentLink.objects.create(campaign=campaign, secret=new_secret(), made_by=by, **vars(given))


def _check_codes(codes: dict[str, str]) -> None:
    for name, code in codes.items():
        if code and not CODE.fullmatch(code):
            raise UserError("A code is letters, digits, hyphens and underscores.", where=name)
    if codes["completion_code"] and codes["completion_code"].casefold() == codes["screen_out_code"].casefold():
        raise UserError(
            "The two codes are the same, so the site cannot tell them apart; choose a different one.",
            where="screen_out_code",
        )


def _check_campaign(campaign: Campaign) -> None:
    if campaign.purpose != Campaign.Purpose.WORK:
        raise UserError("People enter the work campaign; its training and qualification come before it automatically.")
    if Role.CROWD_ANNOTATOR not in campaign.roles:
        raise UserError("The campaign is not for crowd annotators: change its roles first.")
    if campaign.study.required_credentials:
        raise UserError("The study requires verified credentials, which nobody from a crowd site has.")


def _check_training(campaign: Campaign, training: Campaign | None) -> None:
    if training is None:
        return
    if training.study_id != campaign.study_id or training.purpose != Campaign.Purpose.TRAINING:
        raise UserError("The training must be a training campaign of this study.", where="training")
    if Role.CROWD_ANNOTATOR not in training.roles:
        raise UserError("The training is not for crowd annotators: change its roles first.", where="training")
