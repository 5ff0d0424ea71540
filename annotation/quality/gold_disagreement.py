"""Disagreement with gold: rates far from the others' mean, or chooses against the majority of the others.

Leave-one-out: a person is never compared with a mean or a majority of which they are a part.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean

from annotation.quality._base import (
    AnnotatorWork,
    CampaignTraits,
    Check,
    ComparedRating,
    Evidence,
    Finding,
    Settings,
    evidence_of,
)
from foundation.options import percent
from foundation.translation import translatable


class GoldDisagreement(Check):
    name = "gold_disagreement"
    label = "Disagreement with the others"
    about = (
        "Finds people whose ratings are far from the others' mean, or whose choices often differ from the majority's."
    )
    defaults = {"far": 0.3, "most": 0.4, "least_items": 10, "least_others": 1}

    def idle(self, about: CampaignTraits) -> str:
        if not about.chooses:
            return translatable("This kind of work has no ratings or choices.")
        return (
            ""
            if about.overlap > 1
            else translatable("One person does each item, so there are no other answers to compare.")
        )

    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        yield from self._far(work, settings)
        yield from self._against(work, settings)

    def _far(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """For each criterion the mean distance from the others' mean, as a part of the scale's width."""
        places: dict[str, list[tuple[float, Evidence]]] = {}
        for given in work.answers:
            for rating in given.rated:
                if len(rating.others) >= settings["least_others"] and rating.width > 0:
                    comparison = f"{rating.name}: {rating.value:g}, the others {fmean(rating.others):.2f}"
                    places.setdefault(rating.name, []).append((_distance(rating), evidence_of(given, comparison)))
        for name, seen in places.items():
            mean = fmean(distance for distance, _ in seen)
            if len(seen) >= settings["least_items"] and mean > settings["far"]:
                worst = sorted(seen, key=lambda pair: -pair[0])
                yield self.found(
                    f"On {name} they are {percent(mean)} of the scale away from the others' mean, over {len(seen)}"
                    " judgements.",
                    [evidence for distance, evidence in worst if distance > settings["far"]],
                )

    def _against(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        seen = [
            (choice, most, evidence_of(given, f"{choice.name}: {choice.value}, most others {most}"))
            for given in work.answers
            for choice in given.decided
            if len(choice.others) >= settings["least_others"] and (most := _majority(choice.others)) is not None
        ]
        against = [evidence for choice, most, evidence in seen if choice.value != most]
        items = {evidence.number for _, _, evidence in seen}
        if len(items) >= settings["least_items"] and len(against) > settings["most"] * len(seen):
            part = percent(len(against) / len(seen))
            yield self.found(
                f"{len(against)} of {len(seen)} choices ({part}) are against what most of the others chose.", against
            )


def _distance(rating: ComparedRating) -> float:
    return abs(rating.value - fmean(rating.others)) / rating.width


def _majority(others: Sequence[str]) -> str | None:
    """The choice of more than half of them; None where there is none."""
    value, count = Counter(others).most_common(1)[0]
    return value if 2 * count > len(others) else None


CHECK = GoldDisagreement()
