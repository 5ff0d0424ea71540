"""What calls of a language model have used: tokens, and their price."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

MILLION = 1_000_000


@dataclass(frozen=True)
class Usage:
    """Calls that were answered, their tokens, their `cost` (in whatever money the prices are), and the dearest call.

    `most` is what was spent at most: `cost`, and all that calls can cost whose tokens nobody told, which are under way,
    or of which nobody knows the end. Of `guessed` answers the service told no tokens. `cut` were ended at the most
    tokens, `withheld` by the service's filter; `kept` answers were there before. Texts that were `too_long` for the
    model or `filtered` got none, nor did those whose answer was a thought alone (`unfinished`). `models` are the names
    that answered, in their order.
    """

    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0
    dearest: float = 0.0
    most: float = 0.0
    guessed: int = 0
    cut: int = 0
    withheld: int = 0
    kept: int = 0
    too_long: int = 0
    filtered: int = 0
    unfinished: int = 0
    models: tuple[str, ...] = ()

    def with_call(self, tokens: tuple[int, int], cost: float, finish: str, counted: bool = True) -> "Usage":
        """With one call more: its tokens in and out, what it cost, why it ended, and whether the tokens are counted."""
        return replace(
            self, calls=self.calls + 1, input=self.input + tokens[0], output=self.output + tokens[1],
            cost=self.cost + cost, dearest=max(self.dearest, cost), guessed=self.guessed + (not counted),
            cut=self.cut + (finish == "length"), withheld=self.withheld + (finish == "content_filter"),
        )  # fmt: skip

    def with_held(self, cost: float) -> "Usage":
        """With what a call can cost at most, or without what it did not cost."""
        return replace(self, most=max(0.0, self.most + cost))

    def with_refused(self, why: str) -> "Usage":
        """With one text more that got no answer: `why` is the name of what counts them."""
        return replace(self, **{why: getattr(self, why) + 1})

    def without_refused(self) -> "Usage":
        """As it is when the texts that got no answer are asked about again."""
        return replace(self, too_long=0, filtered=0, unfinished=0)

    def with_kept(self, number: int) -> "Usage":
        """With answers more that were there before."""
        return replace(self, kept=self.kept + number)

    def with_models(self, names: Iterable[str]) -> "Usage":
        """With the names that models gave themselves; one without a name is passed over."""
        return replace(self, models=tuple(dict.fromkeys([*self.models, *filter(None, names)])))

    def plain(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)

    def __str__(self) -> str:
        """'120 calls, 34,000 tokens in, 5,600 tokens out, cost 0.0123'."""
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}"
        kept = f" ({self.kept:,} more answers were there)" if self.kept else ""
        guessed = ", of which the service tells no tokens and no cost: these are estimated" * bool(self.guessed)
        return (
            f"{calls}{kept}, {self.input:,} tokens in, {self.output:,} tokens out, cost {in_money(self.cost)}{guessed}"
        )

    @property
    def warning(self) -> str:
        """Sentences about answers that are not whole, and texts without one; "" where there are none."""
        parts = [f"{self.cut:,} ended at the most tokens"] * bool(self.cut)
        parts += [f"{self.withheld:,} were withheld by the service's filter"] * bool(self.withheld)
        said = [f"Of the answers {' and '.join(parts)}."] if parts else []
        said += [f"{_texts(self.too_long)} too long for the model."] * bool(self.too_long)
        said += [f"{_texts(self.filtered)} refused by the service's filter."] * bool(self.filtered)
        said += [f"{_texts(self.unfinished)} answered with a thought alone."] * bool(self.unfinished)
        return " ".join(said)


def _texts(number: int) -> str:
    return "1 text was" if number == 1 else f"{number:,} texts were"


def usage_of(stored: Mapping[str, Any]) -> Usage:
    """The usage that was stored."""
    return Usage(**{"most": stored.get("cost", 0.0), **stored, "models": tuple(stored.get("models", ()))})


def in_money(cost: float) -> str:
    """A sum with as many digits as say something: '0.0123', '4.56', '0'."""
    return f"{cost:,.2f}" if cost >= 1 or not cost else f"{cost:.4f}" if cost >= 0.0001 else f"{cost:.2g}"


def price(tokens: tuple[int, int], per_million: tuple[float, float]) -> float:
    """What tokens in and out cost at these prices for a million of each."""
    return (tokens[0] * per_million[0] + tokens[1] * per_million[1]) / MILLION
