"""The cost of an order, and the submissions that it may be about: the page tells both, and the action checks them."""

from collections.abc import Sequence

from foundation.errors import UserError
from foundation.translation import translatable
from integrations.recruiting.models import Order, Recruitment, Submission
from integrations.recruiting.money import accounts

State = Submission.State
UNFINISHED = (Order.State.QUEUED, Order.State.RUNNING, Order.State.UNSURE)
# The states of submissions that an order may be about; a bonus needs something left as well.
FITS = {
    "approve": (State.AWAITING,), "reject": (State.AWAITING,), "screen_out": (State.AWAITING,),
    "bonus": (State.APPROVED, State.SCREENED_OUT), "message": tuple(State),
}  # fmt: skip
OF_ALL = ("publish", "stop", "refresh")
UNDER_WAY = translatable("Such an order is under way, or unsure: settle it first.")


def cost_of(recruitment: Recruitment, kind: str, submissions: Sequence[Submission]) -> int:
    """Minor units that the study pays by this order, without the site's fees."""
    if kind == "publish":
        return recruitment.places * recruitment.reward
    if kind == "approve":
        return len(submissions) * recruitment.reward
    if kind == "screen_out":
        return len(submissions) * recruitment.screen_out_reward
    return sum(one.left for one in accounts(recruitment, submissions)) if kind == "bonus" else 0


def refuse_unfit(recruitment: Recruitment, kind: str, submissions: Sequence[Submission]) -> None:
    """Raise UserError where the order is not one for these submissions, or for this recruitment now."""
    if not recruitment.external_id:
        raise UserError("There is no draft at the site yet.")
    if kind != "refresh" and recruitment.orders.filter(kind=kind, state__in=UNFINISHED).exists():
        raise UserError(UNDER_WAY)
    if kind == "bonus" and recruitment.sandbox:
        raise UserError("This is for trying out: nothing is paid.")
    if kind in OF_ALL:
        return
    if not submissions:
        raise UserError("Choose at least one person.", where="submissions")
    wrong = [one for one in submissions if one.state not in FITS[kind] or not one.external_id]
    if wrong:
        raise UserError(
            "This does not fit a submission with the state “{state}”.",
            state=wrong[0].get_state_display(),
            where="submissions",
        )
