"""Simulated ratings for the demo, given through the annotation engine as a person's would be."""

import uuid
from typing import Any

import numpy as np

from accounts.models import Person
from annotation.actions.claim_slot import claim_slot
from annotation.actions.submit_answer import submit_answer
from annotation.models import Campaign
from foundation.seeds import generator

MARKS = ("u", "ur", "gonna", "wanna", "idk", "lol", "plz", "thx", "!!", "kinda", "2night", "asap", "btw", "abt")


def simulate(campaign: Campaign, raters: list[Person], items: int) -> None:
    """Have each rater rate the first `items` items: a rule of thumb with noise, drawn by seed."""
    for rater in raters:
        draws = generator(campaign.seed, "simulated ratings", rater.email)
        for _ in range(items):
            claim = claim_slot(study=campaign.study, campaign=campaign.slug, person=rater)
            if claim.work is None:
                break
            texts = [claim.work.content["candidates"][index] for index in claim.work.order]
            ratings = [_rate(text, claim.work.content["source"], draws) for text in texts]
            submit_answer(
                study=campaign.study,
                campaign=campaign.slug,
                person=rater,
                slot=claim.work.slot,
                lease=claim.work.lease,
                key=uuid.uuid4(),
                content={"ratings": ratings},
                seconds=float(draws.uniform(10, 40)),
            )


def _rate(text: str, source: str, draws: np.random.Generator) -> dict[str, Any]:
    informal = (
        sum(word.strip(".,?") in MARKS for word in text.lower().split()) + (text[:1].islower()) + text.count("!!")
    )
    shared = len(set(text.lower().split()) & set(source.lower().split())) / max(1, len(set(source.split())))
    return {
        "formality": _near(2.0 - 1.6 * informal - 1.2 * shared, -3, 3, draws),
        "fluency": _near(4.8 - 0.7 * informal, 1, 5, draws),
        "meaning": _near(4.9 + shared, 1, 6, draws),
    }


def _near(value: float, low: int, high: int, draws: np.random.Generator) -> int:
    return int(np.clip(round(value + draws.normal(0, 0.7)), low, high))
