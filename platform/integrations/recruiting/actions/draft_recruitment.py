import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.models import Campaign
from foundation.errors import UserError
from foundation.options import validate_options
from integrations.recruiting.execution import queue_order
from integrations.recruiting.fields import RecruitmentFields, in_minor
from integrations.recruiting.models import Account, Order, Recruitment

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@audited
@transaction.atomic
def draft_recruitment(*, campaign: Campaign, by: Any, training: Campaign | None = None, **fields: Any) -> Recruitment:
    """Open a recruitment link with codes of its own, and have a worker put a draft up that leads to it.

    Nobody at the site sees the draft. The reward is in the currency of the campaign's pay.
    """
    given = validate_options(RecruitmentFields, fields)
    account = Account.objects.filter(study=campaign.study_id, site=given.site).first()
    if account is None:
        raise UserError("First connect the study with an account at this site.", where="site")
    link = open_recruitment_link(
        campaign=campaign, by=by, site=given.site, training=training, consent=given.consent, completion_code=_code(),
        screen_out_code=_code(),
    )  # fmt: skip
    recruitment = Recruitment.objects.create(
        recruitment_link=link, account=account, name=given.name, description=given.description, places=given.places,
        minutes=given.minutes, reward=in_minor(given.reward, "reward"), currency=_currency(campaign, account),
        screen_out_reward=in_minor(given.screen_out_reward, "screen_out_reward"), screen_out_pay_code=_code(),
        sandbox=account.sandbox, made_by=by,
    )  # fmt: skip
    if recruitment.screen_out_reward and recruitment.screen_out_reward >= recruitment.reward:
        raise UserError("It must be less than the reward.", where="screen_out_reward")
    order = {"account": account, "recruitment": recruitment, "next_at": timezone.now(), "made_by": by}
    queue_order(Order.objects.create(kind="draft", **order))
    return recruitment


def _currency(campaign: Campaign, account: Account) -> str:
    """That of the account; a campaign that pays in another one could not be settled."""
    paid, there = campaign.pay.get("currency", ""), account.details.get("currency", "")
    if paid and there and paid != there:
        sentence = "The campaign pays in {paid}, and the account in {there}: change the campaign's pay first."
        raise UserError(sentence, paid=paid, there=there)
    return str(there or paid or "USD")[:3]


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(10))
