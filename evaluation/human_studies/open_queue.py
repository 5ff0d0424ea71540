"""Judgements where the comparison is open: texts of systems that are told from the baseline, or can be told no more
with the sources that are left, wait behind the others.

Once a system is settled, each of its pages that nobody began is kept at its place by a chance of one in five, drawn by
the seed, and else put behind the queue. A kept page then stands for five, so that the system's mean stays unbiased
whatever was seen before (Horvitz and Thompson 1952). The orders in which pages present texts stay as they were drawn.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import F, Q

from annotation.models import Assignment, Item
from evaluation.models import HumanStudy
from foundation.seeds import generator
from foundation.text_keys import text_key

OPEN = "open"
SHARE = 0.2  # of the pages of settled systems that keep their place
BEHIND = 1_000_000_000  # added to the place of those that do not

Text = tuple[int, str]


def asks_open(human_study: HumanStudy) -> bool:
    """Whether its frozen plan sends judgements where the comparison is open."""
    return bool(human_study.frozen) and human_study.plan_at_opening["rules"]["comparison"].get("queue") == OPEN


def put_behind(human_study: HumanStudy, open_texts: Collection[Text], settled: Mapping[str, Any]) -> int:
    """Keep a share of the pages without open texts, and put the others behind; how many. Earlier draws stay.

    `settled` says of systems whether they are "told" or "beyond" reach, and after how many answers.
    """
    draws = {"settled": {}, "chances": {}, "behind": [], **human_study.draws}
    known = {int(pk) for pk in draws["chances"]} | set(draws["behind"])
    began = Q(assignments__state__in=[Assignment.State.LEASED, Assignment.State.DONE, Assignment.State.HELD])
    items = Item.objects.filter(campaign__in=human_study.campaigns.all(), withdrawn=False)
    waiting = items.exclude(pk__in=known).exclude(pk__in=items.filter(began).values("pk")).order_by("pk")
    behind = []
    for pk, sentence, content in waiting.values_list("pk", "sentence_id", "content"):
        if any((sentence, text_key(text)) in open_texts for text in content.get("candidates", [])):
            continue
        if generator(human_study.seed, "kept", pk).random() < SHARE:
            draws["chances"][str(pk)] = SHARE
        else:
            behind.append(pk)
    draws["behind"] += behind
    draws["settled"] = dict(settled)
    if draws != human_study.draws:
        moved = Assignment.objects.filter(item__in=behind, state=Assignment.State.FREE, position__lt=BEHIND)
        moved.update(position=F("position") + BEHIND)
        human_study.draws = draws
        human_study.save(update_fields=["draws"])
    return len(behind)


def weights_of(human_study: HumanStudy) -> dict[Text, float]:
    """The weight of each text that is not 1: of kept ones 5, of those behind 0; none once all behind are judged."""
    draws: Mapping[str, Any] = human_study.draws
    if not draws.get("behind"):
        return {}
    waiting = Assignment.objects.filter(item__in=draws["behind"]).exclude(state=Assignment.State.DONE)
    if not waiting.exists():
        return {}
    chances = {int(pk): chance for pk, chance in draws["chances"].items()} | dict.fromkeys(draws["behind"], 0.0)
    rows = Item.objects.filter(pk__in=chances).values_list("pk", "sentence_id", "content")
    return {
        (sentence, text_key(text)): 1 / chances[pk] if chances[pk] else 0.0
        for pk, sentence, content in rows
        for text in content.get("candidates", [])
    }
