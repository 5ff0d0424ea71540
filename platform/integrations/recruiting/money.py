"""The dues of people by the ledger, the payments of the site, and the rest: whole minor units."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format

from annotation.crowd.ledger import Line, lines
from annotation.models import CrowdParticipant
from integrations.recruiting.models import Order, Recruitment, Submission

MINOR = 100  # units of a currency's main one: of all currencies that the two sites pay in
SPENT = (Order.State.QUEUED, Order.State.RUNNING, Order.State.DONE, Order.State.UNSURE)
State = Submission.State


def minor(amount: Decimal) -> int:
    """12.34 as 1234."""
    return int(amount * MINOR)


def decimal(amount: int) -> str:
    """1234 as '12.34', as programs read it."""
    return f"{amount // MINOR}.{amount % MINOR:02}"


def shown(amount: int, currency: str) -> str:
    """1234 as '12.34 GBP' in the reader's language."""
    return f"{number_format(Decimal(amount) / MINOR, 2)} {currency}"


@dataclass(frozen=True)
class Account:
    """A submission's account: `due` by the ledger, `paid` with what was ordered, both in minor units.

    `line` is the ledger's, None for somebody who never came here.
    """

    submission: Submission
    line: Line | None
    due: int
    paid: int

    @property
    def left(self) -> int:
        """The bonus that is left to pay: to those whose work was approved or who were screened out."""
        settled = self.submission.state in (State.APPROVED, State.SCREENED_OUT)
        return max(0, self.due - self.paid) if settled else 0


def accounts(recruitment: Recruitment, submissions: Iterable[Submission]) -> list[Account]:
    """The account of each submission, in their order."""
    listed = list(submissions)
    campaign = recruitment.recruitment_link.campaign
    people: list[CrowdParticipant] = [one.participant for one in listed if one.participant is not None]
    by_participant = {line.participant.pk: line for line in lines(campaign, people)}
    bonuses = bonuses_of(recruitment)
    rewards = {State.APPROVED: recruitment.reward, State.SCREENED_OUT: recruitment.screen_out_reward}
    made = []
    for one in listed:
        line = by_participant.get(one.participant_id or 0)
        paid = rewards.get(State(one.state), 0) + bonuses.get(one.pk, 0)
        made.append(Account(one, line, minor(line.due.total) if line else 0, paid))
    return made


def bonuses_of(recruitment: Recruitment) -> dict[int, int]:
    """The bonuses that were ordered, by the key of the submission: paid, under way, or not known."""
    given: dict[int, int] = {}
    orders = recruitment.orders.filter(kind="bonus", state__in=SPENT)
    for arguments in orders.values_list("arguments", flat=True):
        for key, amount in arguments["bonuses"].items():
            given[int(key)] = given.get(int(key), 0) + amount
    return given


def pay_currency(recruitment: Recruitment) -> Any:
    return recruitment.recruitment_link.campaign.pay.get("currency", "")
