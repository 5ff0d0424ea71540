"""Open a recruitment link for people of a crowd site."""

import re
from typing import Any

from django.db import transaction

from accounts.audit import audited
from accounts.authentication import new_secret
from accounts.permissions import Role
from annotation.actions.skip_item import plain
from annotation.models import Campaign, RecruitmentLink
from foundation.errors import UserError

LONGEST = 20_000  # characters of a consent
CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")
CODES = ("completion_code", "screen_out_code")


@audited
@transaction.atomic
def open_recruitment_link(
    *,
    campaign: Campaign,
    site: str,
    consent: str,
    by: Any,
    training: Campaign | None = None,
    completion_code: str = "",
    screen_out_code: str = "",
) -> RecruitmentLink:
    """A link with a secret of 256 random bits, for one site; `consent` is what people read and agree to first.

    The codes are those that the site was told beforehand; where one is "", each person gets a code of their own.
    """
    text = plain(consent, LONGEST + 1)
    if site not in RecruitmentLink.Site.values:
        raise UserError("Expected a site among {values}.", values=", ".join(RecruitmentLink.Site.values), where="site")
    if not text or len(text) > LONGEST:
        raise UserError(
            "People agree to something: write the consent, at most {longest} characters.",
            longest=LONGEST,
            where="consent",
        )
    _check_campaign(campaign)
    _check_training(campaign, training)
    codes = dict(zip(CODES, (completion_code.strip(), screen_out_code.strip()), strict=True))
    _check_codes(codes)
    return RecruitmentLink.objects.create(
        campaign=campaign, site=site, secret=new_secret(), consent=text, training=training, made_by=by, **codes
    )


def _check_codes(codes: dict[str, str]) -> None:
    for name, code in codes.items():
        if code and not CODE.fullmatch(code):
            raise UserError("A code is 1 to 40 letters, digits, hyphens and underscores.", where=name)
    if codes["completion_code"] and codes["completion_code"].casefold() == codes["screen_out_code"].casefold():
        raise UserError("The site could not tell the two apart: give another code here.", where="screen_out_code")


def _check_campaign(campaign: Campaign) -> None:
    if campaign.purpose != Campaign.Purpose.WORK:
        raise UserError("People enter the work; its training and qualification come before it by themselves.")
    if Role.CROWD_ANNOTATOR not in campaign.roles:
        raise UserError("The campaign is not for crowd annotators: change its roles first.")
    if campaign.study.required_credentials:
        raise UserError("The study asks for verified credentials, which nobody from a crowd site has.")


def _check_training(campaign: Campaign, training: Campaign | None) -> None:
    if training is None:
        return
    if training.study_id != campaign.study_id or training.purpose != Campaign.Purpose.TRAINING:
        raise UserError("The training must be a campaign of this study that is one.", where="training")
    if Role.CROWD_ANNOTATOR not in training.roles:
        raise UserError("The training is not for crowd annotators: change its roles first.", where="training")
