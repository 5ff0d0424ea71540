"""The systems that a campaign judges, by the texts of its items: no campaign keeps a list of them."""

from functools import partial

from annotation.models import Campaign
from annotation.task_types import TASK_TYPES
from corpora.models import Output, Study, System

LOOKED_AT = 50  # items that show whose outputs a campaign judges


def judged_systems(campaign: Campaign) -> list[System]:
    """The systems whose outputs are all among the texts to judge in its first items: later systems are not."""
    kind, shown = TASK_TYPES[campaign.task_type], dict[int | None, set[str]]()
    items = list(campaign.items.order_by("number").values_list("sentence_id", "content")[: LOOKED_AT + 1])
    if len(items) > LOOKED_AT:  # the texts of the last one may be spread over further items
        items = [one for one in items if one[0] != items[-1][0]]
    for sentence, content in items:
        shown.setdefault(sentence, set()).update(map(_plain, kind.judged(content)))
    outputs = Output.objects.filter(system__study=campaign.study, sentence__in=[one for one in shown if one])
    judged, whole = dict[int, bool](), campaign.study.unit == Study.Unit.DOCUMENT
    for system, sentence, text in outputs.values_list("system_id", "sentence_id", "text"):
        there = any(map(partial(_holds, _plain(text), whole=whole), shown[sentence]))
        judged[system] = judged.get(system, True) and there
    return [system for system in campaign.study.systems.all() if judged.get(system.pk)]


def _holds(output: str, text: str, *, whole: bool) -> bool:
    """Whether the text is the output, or of whole documents begins with it."""
    return text.startswith(output) if whole else text == output


def _plain(text: str) -> str:
    return " ".join(text.split())
