"""Texts of two styles that are easily told apart, and what people might have said of them: enough to train a metric."""

from collections.abc import Sequence
from typing import Any

from evaluation.learned_scorers.training_material import TrainingMaterial

FORMAL = ["the committee regrets", "we remain grateful for", "kindly consider", "the physician recommends"]
INFORMAL = ["lol dude check", "gonna grab", "omg i love", "yeah whatever with"]
THINGS = ["the report", "this letter", "a proposal", "that book", "my lunch", "the song", "his plan", "some tea"]


def made(begins: Sequence[str], until: int = 8) -> list[str]:
    """Sixteen texts from each beginning, or twice as many as `until` says."""
    return [f"{begin} {thing} {place}" for place in ("today", "there") for thing in THINGS[:until] for begin in begins]


def material(**changes: Any) -> TrainingMaterial:
    """The texts of both styles, or what `changes` gives in the place of a part."""
    return TrainingMaterial(**({"texts": {"formal": made(FORMAL), "informal": made(INFORMAL)}} | changes))


def rated() -> dict[str, list[tuple[str, float]]]:
    """A rating of style (formality) and of fluency for each text."""
    formal, informal = made(FORMAL), made(INFORMAL)
    style = [(text, 1 + i % 3) for i, text in enumerate(formal)] + [(text, -(i % 4)) for i, text in enumerate(informal)]
    fluency = [(text, 4 - i % 2) for i, text in enumerate(formal)]
    fluency += [(" ".join(reversed(text.split())), 1 + i % 2) for i, text in enumerate(informal)]
    return {"style": [(text, float(value)) for text, value in style], "fluency": fluency}


def preferred(until: int = 8) -> list[tuple[str, str, str, float]]:
    """Informal sources for which people prefer formal rewrites to another informal text."""
    formal, informal = made(FORMAL, until), made(INFORMAL, until)
    return [
        (source, better, worse, 1.0 if number % 3 else 1 / 3)
        for number, (source, better, worse) in enumerate(
            zip(informal, formal, informal[1:] + informal[:1], strict=True)
        )
    ]
