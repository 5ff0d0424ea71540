"""Simulated judgements for the demo, given through the annotation engine as a person's would be."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accounts.models import Person
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.submit_answer import submit_answer
from annotation.engine.running_sums import forget_sums
from annotation.models import Answer, Campaign
from annotation.scales import SCALES
from corpora.models import Output, Reference, Sentence
from evaluation.human_studies.kept_checks import kept_checks
from evaluation.models import HumanStudy
from foundation.seeds import generator
from foundation.text_keys import text_key

# What a text is worth on formality, fluency and meaning before chance; a family's, of each of its runs.
SOURCE, REFERENCE = (-1.9, 3.3, 5.9), (1.8, 4.7, 5.2)
SYSTEMS = {
    "Light edit": (-0.3, 4.4, 5.5),
    "Rule-based": (-0.7, 3.9, 5.4),
    "Stilted": (2.6, 4.0, 4.2),
    "Light edit, words dropped on purpose": (-0.5, 2.7, 4.1),
}
CONTROLS = {"broken": (-0.4, 1.9, 2.0), "flipped": (0.3, 4.2, 1.6)}
OF_TEXT, OF_PERSON, OF_JUDGEMENT = 0.5, 0.3, 0.6  # deviations of chance
TIE = 0.4  # two texts closer than this may share a place
Worth = Mapping[str, np.ndarray]


def simulate(human_study: HumanStudy, raters: Sequence[Person]) -> None:
    """Have each rater do all pages; the last of them clicks at random, quickly."""
    worth = _worth(human_study)
    for rater in raters:
        voice = _Careless if rater == raters[-1] else _Careful
        spoken = voice(worth, generator(human_study.seed, "simulated ratings", rater.email))
        for campaign in human_study.campaigns.all():
            while (
                work := claim_assignment(study=campaign.study, campaign=campaign.slug, person=rater).work
            ) is not None:
                texts = [work.content["candidates"][index] for index in work.order]
                made = submit_answer(
                    study=campaign.study, campaign=campaign.slug, person=rater, assignment=work.assignment,
                    lease=work.lease,
                    key=uuid.uuid4(), content=spoken.answer(campaign, work.content, texts),
                )  # fmt: skip
                # By itself an answer takes no longer than its lease has run, and that is no time at all here.
                Answer.objects.filter(pk=made.answer).update(seconds=spoken.takes(campaign, texts))
            forget_sums(campaign.pk, rater.pk)


def _worth(human_study: HumanStudy) -> Worth:
    """What each text is worth, by its key; whoever wrote it first says."""
    found = dict.fromkeys(_keys(Sentence.objects.filter(direction__study=human_study.study)), SOURCE)
    found |= dict.fromkeys(_keys(Reference.objects.filter(set__direction__study=human_study.study)), REFERENCE)
    for system in human_study.study.systems.all():
        level = SYSTEMS[system.family or system.name]
        found = dict.fromkeys(_keys(Output.objects.filter(system=system)), level) | found
    found |= {check.key: CONTROLS[check.kind] for check in kept_checks(human_study)}
    return {
        key: np.array(level) + generator(human_study.seed, "worth", key).normal(0, OF_TEXT, 3)
        for key, level in found.items()
    }


def _keys(rows: Any) -> list[str]:
    return [text_key(text) for text in rows.values_list("text", flat=True)]


class _Careful:
    """Feels what a text is worth, with a leaning of their own and chance."""

    seconds = 3.5  # a judgement

    def __init__(self, worth: Worth, draws: np.random.Generator) -> None:
        self.worth, self.draws = worth, draws
        self.leaning = draws.normal(0, OF_PERSON, 3)

    def answer(self, campaign: Campaign, content: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
        """The content of an answer to an item; some items ask for the first criteria alone."""
        felt = [self.feeling(text) for text in texts]
        if campaign.task_type == "rank":
            return {"ranks": self.ranks(felt)}
        criteria = campaign.settings["criteria"]
        asked = [
            criterion for criterion in criteria if criterion["name"] in content.get("criteria", [criterion["name"]])
        ]
        return {"ratings": [self.ratings(one, asked) for one in felt]}

    def takes(self, campaign: Campaign, texts: Sequence[str]) -> float:
        """How many seconds the answer took."""
        judged = len(texts) * (1 if campaign.task_type == "rank" else 3)
        return float(judged * self.seconds * self.draws.uniform(0.6, 1.4))

    def feeling(self, text: str) -> np.ndarray:
        return np.asarray(self.worth[text_key(text)] + self.leaning + self.draws.normal(0, OF_JUDGEMENT, 3))

    def ratings(self, felt: np.ndarray, criteria: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        scales = [SCALES[criterion["scale"]] for criterion in criteria]
        return {
            criterion["name"]: int(np.clip(round(value), scale.lowest, scale.highest))
            for criterion, scale, value in zip(criteria, scales, felt[: len(criteria)], strict=True)
        }

    def ranks(self, felt: Sequence[np.ndarray]) -> list[int]:
        """By GYAFC's combination of the three."""
        whole = [round((one[0] / 3 + one[1] / 2 + 2 * one[2] / 5) / TIE) for one in felt]
        return [1 + sum(other > one for other in whole) for one in whole]


class _Careless(_Careful):
    """Says anything."""

    seconds = 0.4

    def feeling(self, text: str) -> np.ndarray:
        return self.draws.uniform((-3, 1, 1), (3, 5, 6))
