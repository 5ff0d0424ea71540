from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from annotation.models import Campaign
from foundation.errors import UserError
from foundation.options import validate_options
from integrations.recruiting.costs import cost_of, refuse_unfit
from integrations.recruiting.execution import queue_order
from integrations.recruiting.fields import OrderFields
from integrations.recruiting.models import Order, Recruitment, Submission
from integrations.recruiting.money import accounts, pay_currency
from integrations.recruiting.service import SERVICES


@audited
@transaction.atomic
def order_recruitment(
    *, campaign: Campaign, recruitment: Recruitment, by: Any, submissions: Sequence[int] = (), **fields: Any
) -> Order:
    """Have a worker do this at the site once. `total` is the cost that the person saw: where it changed, it refuses."""
    given = validate_options(OrderFields, fields)
    locked = Recruitment.objects.select_for_update(of=("self",)).get(pk=recruitment.pk)
    chosen = list(locked.submissions.filter(pk__in=submissions).order_by("pk"))
    if len(chosen) != len(set(submissions)):
        raise UserError("One of them is not of this recruitment.", where="submissions")
    refuse_unfit(locked, given.order, chosen)
    _check_words(locked, given)
    cost = cost_of(locked, given.order, chosen)
    if cost != given.total:
        raise UserError("The cost is another one by now: look again before you press.", where="total")
    order = Order.objects.create(
        account=locked.account, recruitment=locked, kind=given.order, next_at=timezone.now(), made_by=by,
        arguments=_arguments(locked, given, chosen, cost),
    )  # fmt: skip
    queue_order(order)
    return order


def _check_words(recruitment: Recruitment, given: OrderFields) -> None:
    service = SERVICES[recruitment.account.site]
    if given.order == "reject":
        if len(given.reason) < service.shortest_reason:
            sentence = "{site} wants a reason of at least {n} characters."
            raise UserError(sentence, site=service.label, n=service.shortest_reason, where="reason")
        if given.category and given.category not in service.categories:
            raise UserError("There is no such kind of reason.", where="category")
    if given.order == "message" and not given.text:
        raise UserError("Write a message.", where="text")
    if given.order == "screen_out" and not (service.pays_screened_out and recruitment.screen_out_reward):
        raise UserError("Nothing was set for people who are screened out.")
    if given.order == "bonus" and pay_currency(recruitment) != recruitment.currency:
        raise UserError("The campaign's pay is in another currency than the account's.")


def _arguments(recruitment: Recruitment, given: OrderFields, chosen: list[Submission], cost: int) -> dict[str, Any]:
    arguments: dict[str, Any] = {"submissions": [one.pk for one in chosen], "total": cost}
    if given.order == "bonus":
        left = accounts(recruitment, chosen)
        arguments["bonuses"] = {str(one.submission.pk): one.left for one in left if one.left}
        if not arguments["bonuses"]:
            raise UserError("Nothing is left to pay to them.", where="submissions")
    if given.order == "reject":
        arguments |= {"reason": given.reason, "category": given.category}
    return arguments | ({"text": given.text} if given.order == "message" else {})
