"""The feedback after an item of a training: the expected answer, in the words of the scales, and why.

It leaves the server only once the person's own answer is stored.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.database.prepared_statements import fetch_one
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.attempts import agreement
from annotation.models import Campaign
from annotation.scales import SCALES
from annotation.shipped_texts import shown
from annotation.task_types import Judgement
from foundation.key_labels import label_of_key

EXPECTED = "SELECT expected, explanation FROM annotation_item WHERE id = %(item)s"
BEST_WORST = {1: gettext_noop("Best"), 0: gettext_noop("Neither"), -1: gettext_noop("Worst")}
CHOICES = {
    "yes": gettext_noop("Yes"),
    "no": gettext_noop("No"),
    "accept": gettext_noop("Accept"),
    "reject": gettext_noop("Reject"),
    "redo": gettext_noop("Do it again"),
}
VERDICTS = {
    "hit": gettext_noop("As expected"),
    "partly": gettext_noop("Partly as expected"),
    "miss": gettext_noop("Not as expected"),
    "compare": gettext_noop("Compare your answer with the expected one"),
}
COMPLETE = 1 - 1e-9


def feedback_of(context: AnnotatorContext, answer: dict[str, Any]) -> dict[str, Any] | None:
    """After an item of a training: the expected answer beside theirs, how far the two agree, and the explanation.

    `rows` are {"text", "name", "yours", "expected", "hit"}, one for each thing that was judged or chosen, in the order
    of the page. `verdict` is "hit", "partly", "miss", or "compare" where a text was written, which has no one answer;
    `title` says it in words.
    """
    if context.purpose != Campaign.Purpose.TRAINING:
        return None
    row = fetch_one(EXPECTED, {"item": context.item})
    if row is None or row[0] is None:
        return None
    expected, order = orjson.loads(row[0]), context.order or []
    kind, agreed = context.task_type, agreement(context, context.content, expected, answer)
    rows = list(_rows(context, answer, expected))
    verdict = _verdict(agreed, rows, wrote=kind.texts(expected, context.content) is not None)
    return {
        "number": context.item_number,
        "agreement": agreed,
        "verdict": verdict,
        "title": _(VERDICTS[verdict]),
        "explanation": row[1],
        "rows": rows,
        "yours": kind.present(context.content, context.settings, order, answer),
        "expected": kind.present(context.content, context.settings, order, expected),
        "yours_shown": _shown(context, answer),
        "expected_shown": _shown(context, expected),
    }


def _verdict(agreed: float, rows: list[dict[str, Any]], *, wrote: bool) -> str:
    if agreed >= COMPLETE:
        return "hit"
    if wrote:
        return "compare"
    return "partly" if any(row["hit"] for row in rows) else "miss"


def _rows(context: AnnotatorContext, answer: dict[str, Any], expected: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yours, ours = (list(_judged(context, given)) for given in (answer, expected))
    if ours:
        by_place = {(one.text, one.criterion): one.value for one in yours}
        for one in ours:
            given = by_place.get((one.text, one.criterion))
            yield _row(_criterion_label(context, one.criterion), one.text, _words(context, one.criterion, given),
                       _words(context, one.criterion, one.value), given == one.value)  # fmt: skip
        return
    chosen, wanted = (
        context.task_type.decisions(given, context.content, context.settings) for given in (answer, expected)
    )
    for name in dict.fromkeys([*wanted, *chosen]):
        pair = chosen.get(name, ""), wanted.get(name, "")
        if pair != ("no", "no"):
            theirs, needed = (_(CHOICES.get(choice, choice)) for choice in pair)
            named = shown(name) if context.task_type_name == "label" else _(name)
            yield _row(named, "", theirs, needed, pair[0] == pair[1])


def _row(name: str, text: str, yours: str, expected: str, hit: bool) -> dict[str, Any]:
    return {"text": text, "name": name, "yours": yours or "–", "expected": expected or "–", "hit": hit}


def _judged(context: AnnotatorContext, answer: dict[str, Any]) -> Iterator[Judgement]:
    """The judgements in the order in which the page showed the texts: their own order would tell one system's."""
    judgements = list(context.task_type.judgements(answer, context.content, context.settings))
    candidates = context.content.get("candidates", [])
    places = {candidates[number]: place for place, number in enumerate(context.order or [])}
    return iter(sorted(judgements, key=lambda one: places.get(one.text, len(places))))


def _criterion(context: AnnotatorContext, name: str) -> Mapping[str, Any]:
    described = context.settings.get("criteria") or ()
    return next((one for one in described if isinstance(one, Mapping) and one.get("name") == name), {})


def _criterion_label(context: AnnotatorContext, name: str) -> str:
    label = _criterion(context, name).get("label")
    return shown(str(label)) if label else _(label_of_key(name))


def _words(context: AnnotatorContext, criterion: str, value: Any) -> str:
    """A judgement as the page said it: the scale's word with its number, a place, or best and worst."""
    if value is None:
        return ""
    described = _criterion(context, criterion)
    if described:
        scale = SCALES[described["scale"]]
        label = scale.label_of(value)
        return label if label == str(value) else f"{shown(label)} ({value})"
    if context.task_type_name == "best_worst":
        return _(BEST_WORST[value])
    return _("Place %(place)s") % {"place": value}


def _shown(context: AnnotatorContext, answer: dict[str, Any]) -> list[str]:
    """An answer in lines: its text where it is one, else what it judges, else what it holds."""
    pair = context.task_type.texts(answer, context.content)
    if pair:
        return [pair[1]]
    judged = list(_judged(context, answer))
    if judged:
        return [
            f"{one.text}: {_criterion_label(context, one.criterion)}, {_words(context, one.criterion, one.value)}"
            for one in judged
        ]
    said = context.task_type.said(answer, context.content, context.settings)
    return [
        " · ".join(str(part) for part in (one.source, one.text, one.value) if part not in ("", None)) for one in said
    ]
