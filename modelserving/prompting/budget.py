"""The limit of what a run may cost: before a call is sent, the most that it can cost is held back.

A prompt has no more tokens than bytes, beside what the server's chat template adds, and an answer no more than it may
have. So the limit holds for calls side by side, and for those of which nobody hears the end: these stay counted with
the most that they can cost. It cannot hold where a server counts more than it was asked for; a call that cost more
than was held for it makes more be held for those that follow.
"""

from collections.abc import Sequence
from typing import Any

from foundation.errors import UserError
from modelserving.run_context import RunContext, in_money, most_tokens, price

TEMPLATE = 64  # tokens that a chat template may add to a message
NO_PRICES = "A limit of cost needs the prices of tokens: without them nobody knows what a call costs."
SLACK = 1e-9  # of the limit: what the sums of floats differ by


class Budget:
    """Holds back what calls can cost, by the numbers of their requests."""

    def __init__(self, context: RunContext, limit: float, prices: tuple[float, float], tokens: int) -> None:
        """`limit` is 0 for none, `prices` are of a million tokens in and out, `tokens` the most of an answer."""
        check_limit(limit, prices)
        self.context, self.limit, self.prices, self.tokens = context, limit, prices, tokens
        self._held: dict[int, float] = {}
        self._factor = 1.0  # by which calls cost more than can be

    def hold(self, number: int, messages: Sequence[dict[str, Any]], under_way: int) -> bool:
        """Hold back for a call; False where it has to wait for those under way. A UserError where it cannot be sent."""
        most = self._factor * worst_cost(messages, self.tokens, self.prices)
        spent = self.context.usage.most
        if self.limit and spent + most > self.limit * (1 + SLACK):
            if under_way:
                return False
            raise UserError(
                "The limit of {limit} is reached: {usage}; one call more can cost up to {most}. What was "
                "answered is kept; raise the limit to go on.",
                limit=in_money(self.limit),
                usage=self.context.usage,
                most=in_money(most),
                where="most_cost",
            )
        self._held[number] = most
        self.context.hold(most)
        return True

    def release(self, number: int, cost: float) -> None:
        """A call has ended that cost so much."""
        held = self._held.pop(number)
        if held:
            self._factor = max(self._factor, self._factor * cost / held)
        self.context.hold(cost - held)

    def forget(self, number: int) -> None:
        """A call has ended of which nobody knows what it cost: all that was held stays counted."""
        self._held.pop(number)


def check_limit(limit: float, prices: tuple[float, float]) -> None:
    """A UserError where there is a limit, and no prices to hold it by."""
    if limit and not any(prices):
        raise UserError(NO_PRICES, where="most_cost")


def worst_cost(messages: Sequence[dict[str, Any]], tokens: int, prices: tuple[float, float]) -> float:
    """What a call can cost at most, with answers of `tokens`."""
    asked = sum(most_tokens(str(message["content"])) + TEMPLATE for message in messages)
    return price((asked, tokens), prices)
