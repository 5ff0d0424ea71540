"""Campaigns whose items are given, for kinds of work whose material a test does not want to make first."""

from collections.abc import Iterable
from typing import Any

from annotation.models import Assignment, Campaign, Guideline, Item
from annotation.task_types import TASK_TYPES, GroupMaterial, PreviousStage, Text
from corpora.models import Study

DEFINITION = "Not getting enough air; being short of breath."
EXPERT = (
    "Many pleural effusions cause dyspnea, pleuritic chest pain, or both.",
    "Physical examination reveals absent tactile fremitus and dullness to percussion.",
    "A pleural friction rub is heard occasionally.",
)
LAYMAN = (
    "Your chest may hurt when you breathe in deeply.",
    "The most common symptoms are shortness of breath and chest pain.",
    "Doctors tap on the chest and listen; the sounds over the fluid are dull.",
    "Some people have no symptoms at all.",
)
LONG = tuple(
    f"This is sentence {n} of a long group, in which a sign of the disease is described." for n in range(4, 13)
)
HEBREW = ("כאב בחזה הוא סימפטום שכיח.", "קוצר נשימה מופיע לעיתים קרובות.")


def campaign_of(study: Study, task_type: str, contents: Iterable[dict[str, Any]], **settings: Any) -> Campaign:
    """An open campaign with an item of each content, one assignment each."""
    kind, items = TASK_TYPES[task_type], list(contents)
    made = Campaign.objects.create(
        study=study,
        slug=f"{task_type.replace('_', '-')}-{study.campaigns.count() + 1}",
        name=f"{kind.label}: pleural effusion",
        task_type=task_type,
        settings=kind.check_settings(settings),
        size=len(items),
        state=Campaign.State.OPEN,
    )
    Guideline.objects.create(campaign=made, version=1, text="Keep to the meaning.")
    for number, content in enumerate(items, 1):
        item = Item.objects.create(campaign=made, number=number, content=content)
        order = kind.order(content, number, 1)
        Assignment.objects.create(campaign=made, item=item, number=1, position=number, order=order)
    return made


def group(source: Iterable[str] = EXPERT, target: Iterable[str] = LAYMAN) -> dict[str, Any]:
    """The content of an item of `align`; the first sentence names a concept and has a translation."""
    left = [Text(n, n, text, "Symptoms" if n < 2 else "Signs") for n, text in enumerate(source, 1)]
    right = [Text(100 + n, n, text, "Symptoms and signs") for n, text in enumerate(target, 1)]
    start = left[0].text.find("dyspnea")
    if start >= 0:
        concept = {"start": start, "end": start + 7, "term": "dyspnea", "cui": "C0013404", "definition": DEFINITION}
        left[0] = left[0]._replace(translation="许多胸腔积液会引起呼吸困难。", concepts=[concept])
    material = GroupMaterial(1, "Pleural Effusion", "Symptoms", left, right, "expert", "layman")
    align = TASK_TYPES["align"]
    return next(align.build([material], align.check_settings({}), 1)).content


def rewrite_to_check(source: str = "gotta go , u know", text: str = "I have to go, you know.") -> dict[str, Any]:
    """The content of an item of `verify` after a rewrite."""
    product = {"kind": "rewrite", "source": source, "text": text}
    settings = TASK_TYPES["rewrite"].check_settings({})
    return _followed(PreviousStage(product, "rewrite", {"source": source}, settings, {"text": text}))


def pair_to_check() -> dict[str, Any]:
    """The content of an item of `verify` after an alignment of two pairs: the first of them."""
    align, content = TASK_TYPES["align"], group()
    answer = {"pairs": [{"source": [0], "target": [0, 1]}, {"source": [1], "target": [2]}], "none": False}
    product = next(align.products(answer, content, {}))
    return _followed(PreviousStage(product, "align", content, align.check_settings({}), answer))


def _followed(before: PreviousStage) -> dict[str, Any]:
    verify = TASK_TYPES["verify"]
    content = verify.follow(before, verify.check_settings({}))
    assert content is not None
    return content
