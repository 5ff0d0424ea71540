"""What a run of a prompted language model will cost, about: told before it is queued."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Sum
from django.utils.translation import gettext as _

from corpora.models import Direction, Reference, Sentence, Study
from modelserving.presenters.token_rates import TokenRates, guessed, rates_of
from modelserving.ready_models.candidates import Candidate
from modelserving.run_context.token_guess import guess_of
from modelserving.run_context.usage import in_money, price


@dataclass(frozen=True)
class Estimate:
    """Of one split's sources: a call each, tokens in and out, and the cost in words ("" without prices)."""

    split: str
    calls: int
    input: int
    output: int
    cost: str


@dataclass(frozen=True)
class Estimates:
    """Of all splits and of each that has sources, and a sentence of how their tokens were come by."""

    rows: Sequence[Estimate]
    how: str


def run_estimates(study: Study, chosen: Candidate) -> Estimates | None:
    """What a run would cost; None for a model that asks for no money or tokens, or where there are no sources."""
    if not chosen.kind.prompts or chosen.checkpoint is None:
        return None
    options: Mapping[str, Any] = chosen.checkpoint.manifest["options"]
    directions = [one for one in study.directions.all() if chosen.serves(one)]
    sources = Sentence.objects.filter(direction__in=directions)
    rows = list(sources.values("split").annotate(calls=Count("pk"), tokens=Sum(guessed("text"))).order_by())
    if not rows:
        return None
    around, rates = _around(options, directions), rates_of(study, options, directions)
    whole = {"split": "", "calls": sum(row["calls"] for row in rows), "tokens": sum(row["tokens"] for row in rows)}
    labels = {"": _("All splits"), **{str(value): str(label) for value, label in Sentence.Split.choices}}
    in_order = sorted(rows, key=lambda row: list(labels).index(row["split"]))
    listed = [whole, *(row for row in in_order if row["split"] and row["calls"] < whole["calls"])]
    return Estimates([_of(row, labels[row["split"]], around, rates, options) for row in listed], rates.how)


def _of(
    row: Mapping[str, Any], label: str, around: float, rates: TokenRates, options: Mapping[str, Any]
) -> Estimate:  # fmt: skip
    calls, texts = row["calls"], row["tokens"]
    tokens = round((texts + calls * around) * rates.input), round(texts * rates.output)
    prices = float(options.get("price_input", 0)), float(options.get("price_output", 0))
    return Estimate(label, calls, *tokens, in_money(price(tokens, prices)) if any(prices) else "")


def _around(options: Mapping[str, Any], directions: Sequence[Direction]) -> float:
    """Tokens of a prompt beside its text, guessed: the template, and examples as long as the train split's pairs."""
    template = sum(guess_of(text) for name in ("system", "message") if (text := str(options.get(name, ""))))
    shots = int(options.get("shots", 0))
    if not shots:
        return template
    pairs = Reference.objects.filter(set__direction__in=directions, sentence__split=Sentence.Split.TRAIN)
    length = pairs.aggregate(length=Avg(guessed("text") + guessed("sentence__text")))["length"] or 0
    return template + shots * (length + guess_of(str(options.get("example", ""))))
