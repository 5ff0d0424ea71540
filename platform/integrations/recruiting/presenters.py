"""Recruitments as pages and the API show them."""

from typing import Any

from integrations.recruiting.models import Account, Order, Recruitment, Submission
from integrations.recruiting.money import accounts, shown
from integrations.recruiting.service import SERVICES

UNFINISHED = (Order.State.QUEUED, Order.State.RUNNING)


def submission_rows(recruitment: Recruitment, submissions: list[Submission]) -> list[dict[str, Any]]:
    """Each submission with the ledger's line of its person, and what is due, paid and left in words."""
    currency = recruitment.currency
    return [
        {
            "submission": one.submission, "line": one.line, "due": shown(one.due, currency) if one.line else "",
            "paid": shown(one.paid, currency), "left": shown(one.left, currency) if one.left else "",
        }
        for one in accounts(recruitment, submissions)
    ]  # fmt: skip


def is_busy(recruitment: int) -> bool:
    return Order.objects.filter(recruitment=recruitment, state__in=UNFINISHED).exists()


def account_row(account: Account) -> dict[str, Any]:
    """An account with the outcome of the last look at it."""
    order = account.orders.filter(kind="connect").first()
    return {"account": account, "order": order, "label": SERVICES[account.site].label}
