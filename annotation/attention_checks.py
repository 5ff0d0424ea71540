"""The attention checks among the judged texts of campaigns, which count for no system and in no agreement.

The room that makes them says which texts they are. All code that counts or exports judgements of campaigns asks here.
Raters are told nothing of it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.dispatch import Signal

from annotation.models import Campaign, MachineRater
from annotation.task_types import Judgement
from foundation.text_keys import text_key

ByCampaign = Mapping[int, Collection[tuple[int, str]]]
"""(sentence, key of the text) of the checks in each campaign."""

attention_checks_wanted = Signal()
"""Sent with the keys of `campaigns`; a receiver returns `ByCampaign`."""

ATTENTION_CHECK = "attention_check"
"""The role of such a text in an export, and the state of an answer about nothing else."""


class AttentionChecks:
    """The attention checks of some campaigns; those of a machine's campaign are those of the one that it works at."""

    def __init__(self, campaigns: Iterable[int]) -> None:
        keys = list(campaigns)
        works_at = dict(MachineRater.objects.filter(campaign__in=keys).values_list("campaign", "of"))
        asked = {works_at.get(key, key) for key in keys}
        given: Any = attention_checks_wanted.send(Campaign, campaigns=asked) if asked else []
        by_campaign = {campaign: places for _, found in given for campaign, places in found.items()}
        self._keys: dict[tuple[int, int], set[str]] = {}
        for key in keys:
            for sentence, text in by_campaign.get(works_at.get(key, key), ()):
                self._keys.setdefault((key, sentence), set()).add(text)

    def __len__(self) -> int:
        return sum(map(len, self._keys.values()))

    def has(self, campaign: int, sentence: int | None, text: str) -> bool:
        """Whether the text, judged about this sentence in this campaign, is one."""
        keys = self._keys.get((campaign, sentence)) if sentence is not None else None
        return keys is not None and text_key(text) in keys

    def without(self, campaign: int, sentence: int | None, said: Iterable[Judgement]) -> Iterable[Judgement]:
        """The judgements of one answer, without those of checks."""
        return self._ordinary(campaign, sentence, said) if (campaign, sentence) in self._keys else said

    def _ordinary(self, campaign: int, sentence: int | None, said: Iterable[Judgement]) -> Iterator[Judgement]:
        return (judgement for judgement in said if not self.has(campaign, sentence, judgement.text))
