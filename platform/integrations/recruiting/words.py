"""The words of orders: what a button says, what is asked before it, and what the list calls it."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from integrations.recruiting.models import Order
from integrations.recruiting.money import shown

VERBS: dict[str, Any] = {
    "publish": gettext_lazy("Publish"), "stop": gettext_lazy("Stop"), "refresh": gettext_lazy("Refresh"),
    "approve": gettext_lazy("Approve"), "reject": gettext_lazy("Reject"),
    "screen_out": gettext_lazy("Pay for screening out"),
    "bonus": gettext_lazy("Pay bonuses"), "message": gettext_lazy("Send message"),
}  # fmt: skip
QUESTIONS = {
    "publish": gettext_lazy("People at the site see it from then on and can take part."),
    "stop": gettext_lazy("Nobody new can take part; those who are at work go on."),
    "refresh": "",
    "approve": gettext_lazy("The site pays each of them the reward. This cannot be taken back."),
    "reject": gettext_lazy("The site pays them nothing, and they read the reason."),
    "screen_out": gettext_lazy("The site pays each of them what you set for being screened out."),
    "bonus": gettext_lazy(
        "The site pays each of them what the ledger has beyond what they got. This cannot be taken back."
    ),
    "message": gettext_lazy("Each of them gets it at the site."),
}  # fmt: skip
OTHERS: dict[str, Any] = {"connect": gettext_lazy("Look at the account"), "draft": gettext_lazy("Put up the draft")}


def order_label(order: Order) -> Any:
    """'Pay bonuses: 3.40 GBP', 'Put up the draft'."""
    label = VERBS.get(order.kind) or OTHERS.get(order.kind, order.kind)
    total = order.arguments.get("total")
    if not total or order.recruitment is None:
        return label
    return _("%(what)s: %(amount)s") % {"what": label, "amount": shown(total, order.recruitment.currency)}
