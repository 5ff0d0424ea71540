"""What a run of a prompted language model will cost, about: told before it is queued."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from corpora.models import Direction, Reference, Sentence, Study
from modelserving.ready_models.candidates import Candidate
from modelserving.run_context.usage import in_money, price

CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Estimate:
    """Of one split's sources: a call each, tokens in and out, and the cost in words ("" without prices)."""

    split: str
    calls: int
    input: int
    output: int
    cost: str


def run_estimates(study: Study, chosen: Candidate) -> list[Estimate]:
    """An estimate for all splits and for each that has sources; none for a model that asks for no money or tokens."""
    if not chosen.kind.prompts or chosen.checkpoint is None:
        return []
    options: Mapping[str, Any] = chosen.checkpoint.manifest["options"]
    directions = [one for one in study.directions.all() if chosen.serves(one)]
    sources = Sentence.objects.filter(direction__in=directions)
    rows = list(sources.values("split").annotate(calls=Count("pk"), characters=Sum(Length("text"))).order_by("split"))
    around = _around(options, directions)
    whole = {"split": "", "calls": sum(row["calls"] for row in rows), "characters": sum(r["characters"] for r in rows)}
    labels = {"": _("All splits"), **{str(value): str(label) for value, label in Sentence.Split.choices}}
    listed = [whole, *(row for row in rows if row["split"] and row["calls"] < whole["calls"])]
    return [_of(row, labels[row["split"]], around, options) for row in listed if row["calls"]]


def _of(row: Mapping[str, Any], label: str, around: float, options: Mapping[str, Any]) -> Estimate:
    calls, characters = row["calls"], row["characters"]
    tokens = round((characters + calls * around) / CHARACTERS_A_TOKEN), round(characters / CHARACTERS_A_TOKEN)
    prices = float(options.get("price_input", 0)), float(options.get("price_output", 0))
    return Estimate(label, calls, *tokens, in_money(price(tokens, prices)) if any(prices) else "")


def _around(options: Mapping[str, Any], directions: Sequence[Direction]) -> float:
    """Characters of a prompt beside its text: the template and its examples, as long as the train split's pairs."""
    template = sum(len(str(options.get(name, ""))) for name in ("system", "message"))
    shots = int(options.get("shots", 0))
    if not shots:
        return template
    pairs = Reference.objects.filter(set__direction__in=directions, sentence__split=Sentence.Split.TRAIN)
    length = pairs.aggregate(length=Avg(Length("text") + Length("sentence__text")))["length"] or 0
    return template + shots * (length + len(str(options.get("example", ""))))
