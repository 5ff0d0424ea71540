"""An answer as people read it: what it made, by the kind of the product, or what it judged or chose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.template.loader import select_template
from django.utils.translation import gettext as _

from annotation.campaigns.expected_answers import opening_words
from annotation.models import Answer
from annotation.task_types import TASK_TYPES, Judgement

PRODUCTS = "annotation/work/products/"
VERDICTS = {"accept": "Accepted", "reject": "Rejected", "redo": "Done again"}


@dataclass
class PresentedAnswer:
    """`products` are (template, product); `judgements` what was rated or ranked; `said` (name, text) pairs.

    `line` is the shortest form of all, for a list. `content` is the item's.
    """

    content: Mapping[str, Any]
    products: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    line: str = ""


def presented_answer(answer: Answer, content: Mapping[str, Any] | None = None) -> PresentedAnswer:
    """What an answer says, or what a reviewer's `content` made of it. Wants its campaign and item."""
    item, campaign = answer.item.content, answer.campaign
    if answer.outcome != Answer.Outcome.ANSWERED:
        return PresentedAnswer(item, line=opening_words(item))
    kind, said = TASK_TYPES[campaign.task_type], dict(answer.content if content is None else content)
    products = list(kind.products(said, item, campaign.settings))
    if campaign.task_type == "verify" and said["verdict"] == "reject":
        products = [item["product"]]
    judged = list(kind.judgements(said, item, campaign.settings))
    texts = kind.texts(said, item)
    line = (texts[1] if texts else "") or _line(said, products) or opening_words(item)
    return PresentedAnswer(
        item,
        [(_template(product), product) for product in products],
        judged,
        _said(campaign.task_type, said, products),
        line,
    )


def _template(product: Mapping[str, Any]) -> str:
    chosen = select_template([f"{PRODUCTS}{product['kind']}.html", f"{PRODUCTS}plain.html"])
    return str(chosen.template.name)


def _said(task: str, said: Mapping[str, Any], products: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What stands beside the products: a verdict with its reason, a note, that there is nothing."""
    pairs = []
    if task == "verify":
        pairs += [(_("Verdict"), _(VERDICTS[said["verdict"]])), (_("Reason"), said.get("reason", ""))]
    if task == "align" and not products:
        pairs.append(("", _("Nothing says the same.")))
    return [pair for pair in [*pairs, (_("Note"), said.get("note", ""))] if pair[1]]


def _line(said: Mapping[str, Any], products: list[dict[str, Any]]) -> str:
    if "verdict" in said:
        return " · ".join(part for part in (_(VERDICTS[said["verdict"]]), said.get("reason", "")) if part)
    if "labels" in said:
        return ", ".join(said["labels"]) or _("None of these")
    if "chosen" in said:
        return _("In") if said["chosen"] else _("Out")
    if products and products[0]["kind"] == "pair":
        return " · ".join(" ".join(pair["target"]) for pair in products)
    return ""
