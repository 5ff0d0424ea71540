"""Open a recruitment link for people of a crowd site."""

from typing import Any

from django.db import transaction

from accounts.audit.log import audited
from accounts.authentication.secrets import new_secret
from accounts.permissions import Role
from annotation.actions.skip_item import plain
from annotation.models import Campaign, RecruitmentLink
from foundation.errors import UserError

LONGEST = 20_000  # characters of a consent


@audited
@transaction.atomic
def open_recruitment_link(
    *, campaign: Campaign, site: str, consent: str, by: Any, training: Campaign | None = None
) -> RecruitmentLink:
    """A link with a secret of 256 random bits, for one site; `consent` is what people read and agree to first."""
    text = plain(consent, LONGEST + 1)
    if site not in RecruitmentLink.Site.values:
        raise UserError(f"Expected a site among {', '.join(RecruitmentLink.Site.values)}.", where="site")
    if not text or len(text) > LONGEST:
        raise UserError(f"People agree to something: write the consent, at most {LONGEST} characters.", where="consent")
    _check_campaign(campaign)
    _check_training(campaign, training)
    return RecruitmentLink.objects.create(
        campaign=campaign, site=site, secret=new_secret(), consent=text, training=training, made_by=by
    )


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
