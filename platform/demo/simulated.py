"""Raters of the demo, who are a simulation."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accounts.models import Person
from accounts.permissions import Role
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.submit_answer import submit_answer
from annotation.engine.running_sums import forget_sums
from annotation.models import Answer, Campaign
from annotation.scales import SCALES
from corpora.models import Membership, Study
from evaluation.human_studies.workers import kept_checks
from evaluation.models import HumanStudy
from foundation.seeds import generator
from foundation.text_keys import text_key

RATERS = 12


def make_raters() -> list[Person]:
    """People who cannot sign in: the simulation rates in their names. Those that are there already stay."""
    named = {f"simulated{one}@restyle.example": f"Simulated rater {one}" for one in range(1, RATERS + 1)}
    there = {person.email: person for person in Person.objects.filter(email__in=named)}
    role = Role.CROWD_ANNOTATOR
    return [
        there.get(mail) or Person.objects.create_user(mail, None, name=name, role=role) for mail, name in named.items()
    ]


def join(study: Study, people: list[Person]) -> None:
    """Make them members, each in their own role; an admin is in every study."""
    known = set(study.memberships.values_list("person_id", flat=True))
    members = [person for person in people if not person.is_admin and person.pk not in known]
    Membership.objects.bulk_create(Membership(study=study, person=member, role=member.role) for member in members)


OF_TEXT, OF_PERSON, OF_JUDGEMENT = 0.5, 0.3, 0.6  # deviations of chance
TIE = 0.4  # two texts closer than this may share a place
Worth = Mapping[str, np.ndarray]
Level = tuple[float, float, float]
"""The worth of a text on the criteria of a study, in their order, before chance."""
Levels = Mapping[str, Level]
"""By the key of a text."""


def simulate(human_study: HumanStudy, raters: Sequence[Person], levels: Levels, controls: Mapping[str, Level]) -> None:
    """Have the raters do all pages, each in turn; the last of them clicks at random, quickly.

    `levels` has the worth of each text that is judged, `controls` that of each kind of attention check.
    """
    worth = _worth(human_study, levels, controls)
    voices = {
        rater: (_Careless if rater == raters[-1] else _Careful)(
            worth, generator(human_study.seed, "simulated ratings", rater.email)
        )
        for rater in raters
    }
    for campaign in human_study.campaigns.all():
        at_work = list(voices)
        while at_work:
            at_work = [rater for rater in at_work if _answers(campaign, rater, voices[rater])]
        for rater in raters:
            forget_sums(campaign.pk, rater.pk)


def _answers(campaign: Campaign, rater: Person, voice: "_Careful") -> bool:
    """Whether there was a page for the rater, which is done now."""
    work = claim_assignment(study=campaign.study, campaign=campaign.slug, person=rater).work
    if work is None:
        return False
    texts = [work.content["candidates"][index] for index in work.order]
    made = submit_answer(
        study=campaign.study, campaign=campaign.slug, person=rater, assignment=work.assignment, lease=work.lease,
        key=uuid.uuid4(), content=voice.answer(campaign, work.content, texts),
    )  # fmt: skip
    # By itself an answer takes no longer than its lease has run, and that is no time at all here.
    Answer.objects.filter(pk=made.answer).update(seconds=voice.takes(campaign, texts))
    return True


def _worth(human_study: HumanStudy, levels: Levels, controls: Mapping[str, Level]) -> Worth:
    found = {**levels, **{check.key: controls[check.kind] for check in kept_checks(human_study)}}
    return {
        key: np.array(level) + generator(human_study.seed, "worth", key).normal(0, OF_TEXT, 3)
        for key, level in found.items()
    }


class _Careful:
    """Rates the worth of a text, with a bias of their own and chance."""

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
