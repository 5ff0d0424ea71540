"""Campaigns that compare texts among one another, by the systems that they compare.

A place among four systems is no place among two, and neither is a choice of the best and the worst. So where campaigns
compare different systems, each set of systems has a criterion of its own, "rank (Good, Copy)": no number is over both,
and no answer of one campaign takes the place of a rater's answer in another.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.campaigns.judged_systems import judged_systems
from annotation.models import Answer, Campaign
from annotation.task_types.best_worst import CRITERION as BEST_WORST
from annotation.task_types.rank import CRITERION as RANK
from corpora.models import Study
from evaluation.snapshot import compared_as

CRITERIA = {"rank": RANK, "best_worst": BEST_WORST}
"""The criterion of each kind of work that compares."""
NAMED = 4  # systems that a name lists; more go by their number and a campaign


@dataclass(frozen=True)
class ComparedSet:
    """The systems (primary keys) that some campaigns compared, and whether the source stood among them."""

    criterion: str
    systems: frozenset[int]
    campaigns: frozenset[int]
    has_source: bool

    @property
    def kind(self) -> str:
        """The criterion as campaigns name it, without the systems."""
        return compared_as(self.criterion)


def compared_sets(study: Study, without: Collection[int] = ()) -> list[ComparedSet]:
    """The sets of each kind of work that has several, from campaigns with answers; `without` are left out."""
    answered = Exists(Answer.objects.filter(campaign=OuterRef("pk"), pilot=False))
    given = study.campaigns.filter(answered, task_type__in=CRITERIA).exclude(pk__in=without).order_by("pk")
    by_kind: defaultdict[str, list[Campaign]] = defaultdict(list)
    for campaign in given:
        by_kind[campaign.task_type].append(campaign)
    return [one for kind, campaigns in by_kind.items() if campaigns[1:] for one in _sets(study, kind, campaigns)]


def names_by_campaign(sets: Sequence[ComparedSet]) -> Mapping[int, ComparedSet]:
    """The set of each campaign that has one."""
    return {campaign: one for one in sets for campaign in one.campaigns}


def _sets(study: Study, kind: str, campaigns: Sequence[Campaign]) -> list[ComparedSet]:
    planned = {
        campaign.pk: frozenset(system.pk for system in human_study.systems.all())
        for human_study in study.human_studies.prefetch_related("campaigns", "systems")
        for campaign in human_study.campaigns.all()
    }
    together: defaultdict[tuple[frozenset[int], bool, bool], list[Campaign]] = defaultdict(list)
    for campaign in campaigns:
        systems = planned.get(campaign.pk) or frozenset(system.pk for system in judged_systems(campaign))
        source, reference = (bool(campaign.settings.get(name)) for name in ("rate_source", "rate_reference"))
        together[systems, source, reference].append(campaign)
    if len(together) < 2:
        return []
    names = _names(study, list(together), [of[0].name for of in together.values()])
    return [
        ComparedSet(f"{CRITERIA[kind]} ({name})", key[0], frozenset(one.pk for one in of), key[1])
        for name, (key, of) in zip(names, together.items(), strict=True)
    ]


def _names(study: Study, keys: Sequence[tuple[frozenset[int], bool, bool]], campaigns: Sequence[str]) -> list[str]:
    """The systems of each set by name; of many, their number and the campaign, unless two sets would have one name."""
    own = dict(study.systems.order_by("number").values_list("pk", "name"))
    listed = [
        [name for pk, name in own.items() if pk in systems]
        + ["source"] * has_source + ["reference"] * has_reference
        for systems, has_source, has_reference in keys
    ]  # fmt: skip
    whole = [", ".join(names) or campaign for names, campaign in zip(listed, campaigns, strict=True)]
    short = [
        name if len(names) <= NAMED else f"{len(names)} systems of {campaign}"
        for name, names, campaign in zip(whole, listed, campaigns, strict=True)
    ]
    seen = Counter(short)
    return [one if seen[one] == 1 else name for one, name in zip(short, whole, strict=True)]
