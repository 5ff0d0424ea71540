"""The fields of recruiting, each declared once: form, API and action use them."""

from dataclasses import dataclass
from decimal import Decimal

from annotation.models import RecruitmentLink
from foundation.errors import UserError
from foundation.options import option

SITES = [choice for choice in RecruitmentLink.Site.choices if choice[0] != RecruitmentLink.Site.OTHER]
MOST_PAY = 10_000.0
KINDS = ("publish", "stop", "refresh", "approve", "reject", "screen_out", "bonus", "message")


@dataclass(frozen=True)
class AccountFields:
    """The fields of `connect_account`."""

    site: str = option("", "", label="Site", choices=SITES, required=True)
    token: str = option(
        "", "Prolific has API tokens. Mechanical Turk has an access key and a secret key: write a colon between them.",
        label="Token",
        characters=400, required=True, clean=str.strip,
    )  # fmt: skip
    sandbox: bool = option(
        True, "Nothing is paid: Prolific shows the study to test participants only, and Mechanical Turk has a site "
        "of its own for it.", label="For trying out",
    )  # fmt: skip


@dataclass(frozen=True)
class RecruitmentFields:
    """The fields of `draft_recruitment` besides those of the recruitment link that comes with it."""

    site: str = option("", "", label="Site", choices=SITES, required=True)
    name: str = option("", "People at the site read it.", label="Title", characters=120, required=True, clean=str.strip)
    description: str = option(
        "", "People at the site read it before they begin.", label="Description", characters=5_000, lines=True,
        required=True, clean=str.strip,
    )  # fmt: skip
    places: int = option(1, "So many people can take part.", label="People", low=1, high=10_000)
    minutes: int = option(10, "People at the site are told so.", label="Minutes for a person", low=1, high=1_440)
    reward: float = option(
        0.0, "The site pays it for an approved person. Bonuses pay the rest that the ledger has.",
        label="Reward for a person", low=0, high=MOST_PAY,
    )  # fmt: skip
    screen_out_reward: float = option(
        0.0, "Prolific pays it when you press Pay for screening out. Some workspaces cannot do that: leave 0 there.",
        label="Pay for being screened out", low=0, high=MOST_PAY,
    )  # fmt: skip
    consent: str = option(
        "", "The text that people read and agree to first: purpose, pay, stored data, contact. It cannot be "
        "changed later; open another link for another text.", label="Consent", characters=20_000, lines=True,
        required=True, clean=str.strip,
    )  # fmt: skip


@dataclass(frozen=True)
class OrderFields:
    """The fields of `order_recruitment` besides the submissions that it is about."""

    order: str = option("", "", label="Action", choices=KINDS, required=True)
    total: int = option(
        0, "The cost in minor units (cents), as the page or the API told it: another amount is refused.",
        label="Cost", low=0, high=10**9,
    )  # fmt: skip
    reason: str = option("", "The person reads it.", label="Reason", characters=3_000, lines=True, clean=str.strip)
    category: str = option("", "", label="Kind of reason", characters=40)
    text: str = option("", "", label="Message", characters=5_000, lines=True, clean=str.strip)


def in_minor(amount: float, where: str) -> int:
    """2.5 as 250; a UserError for parts of a cent."""
    exact = Decimal(str(amount)) * 100
    if exact != exact.to_integral_value():
        raise UserError("An amount has two decimals at most.", where=where)
    return int(exact)
