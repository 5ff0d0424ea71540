"""Answers as they are shown, an item as its preview shows it, and answers as files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.http import Http404, StreamingHttpResponse
from django.template.loader import select_template
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.actions.export_answers import export_answers
from annotation.answer_export import EXPORT_FORMATS, file_name
from annotation.campaigns.expected_answers import opening_words
from annotation.engine.annotator_context import AnnotatorContext
from annotation.engine.assignment_queue import Claim, LeasedItem
from annotation.gold.rewrites import REWRITE_FORMATS, export_rewrites
from annotation.models import Answer, Campaign
from annotation.presenters.work import target_of
from annotation.shipped_texts import shown
from annotation.span_taxonomies import TAXONOMIES
from annotation.task_types import TASK_TYPES, Judgement
from annotation.task_types.spans import MARKS
from corpora.models import Study
from foundation.downloads import as_attachment
from foundation.key_labels import label_of_key

PRODUCTS = "annotation/work/products/"
VERDICTS = {"accept": "Accepted", "reject": "Rejected", "redo": "Redone answer"}


@dataclass
class PresentedAnswer:
    """`products` are (template, product); `judgements` the ratings or ranks; `said` (name, text) pairs.

    `line` is the shortest form of all, for a list. `content` is the item's.
    """

    content: Mapping[str, Any]
    products: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    line: str = ""


def presented_answer(answer: Answer, content: Mapping[str, Any] | None = None) -> PresentedAnswer:
    """An answer for a page, or a reviewer's `content` in its place. Wants its campaign and item."""
    item, campaign = answer.item.content, answer.campaign
    if answer.outcome != Answer.Outcome.ANSWERED:
        return PresentedAnswer(item, line=opening_words(item))
    kind, said = TASK_TYPES[campaign.task_type], dict(answer.content if content is None else content)
    products = list(kind.products(said, item, campaign.settings))
    if campaign.task_type == "verify" and said["verdict"] == "reject":
        products = [item["product"]]
    judged = [_named(campaign, one) for one in kind.judgements(said, item, campaign.settings)]
    texts = kind.texts(said, item)
    products = [one for one in products if one["kind"] != MARKS]  # told below, mark by mark
    line = (texts[1] if texts else "") or _line(said, products) or opening_words(item)
    return PresentedAnswer(
        item,
        [(_template(product), product) for product in products],
        judged,
        [*_marks(campaign, said, item), *_said(campaign.task_type, said, products)],
        line,
    )


def _named(campaign: Campaign, judged: Judgement) -> Judgement:
    """The judgement with its criterion's label as the work page shows it."""
    labels = {one["name"]: one.get("label", "") for one in campaign.settings.get("criteria", ())}
    label = labels.get(judged.criterion) or label_of_key(judged.criterion)
    return judged._replace(criterion=shown(label) if judged.criterion in labels else _(label))


def _template(product: Mapping[str, Any]) -> str:
    chosen = select_template([f"{PRODUCTS}{product['kind']}.html", f"{PRODUCTS}plain.html"])
    return str(chosen.template.name)


def _marks(campaign: Campaign, said: Mapping[str, Any], item: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The kind, severity and reason of each mark, with the words that it is on; a reason stays as it was written."""
    if campaign.task_type != "spans":
        return []
    steps = {one.name: one.label for one in TAXONOMIES[campaign.settings["taxonomy"]].severities}
    texts = {"source": item["source"], "output": item["candidates"][0]}
    pairs = []
    for mark in said[MARKS]:
        kind, step = mark["kind"].rpartition("/")[2], steps.get(mark["severity"], "")
        what = ", ".join(filter(None, (shown(kind), shown(step), mark["reason"])))
        pairs.append((what, f"“{texts[mark['side']][mark['start'] : mark['end']]}”"))
    return pairs


def _said(task: str, said: Mapping[str, Any], products: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The statements beside the products: a verdict with its reason, a note, that there is nothing."""
    pairs = []
    if task == "verify":
        pairs += [(_("Verdict"), _(VERDICTS[said["verdict"]])), (_("Reason"), shown(said.get("reason", "")))]
    if task == "align" and not products:
        pairs.append(("", _("No sentences say the same.")))
    return [pair for pair in [*pairs, (_("Note"), said.get("note", ""))] if pair[1]]


def _line(said: Mapping[str, Any], products: list[dict[str, Any]]) -> str:
    if "verdict" in said:
        return " · ".join(part for part in (_(VERDICTS[said["verdict"]]), shown(said.get("reason", ""))) if part)
    if "labels" in said:
        return ", ".join(map(shown, said["labels"])) or _("None of these")
    if "chosen" in said:
        return _("In") if said["chosen"] else _("Out")
    if products and products[0]["kind"] == "pair":
        return " · ".join(" ".join(pair["target"]) for pair in products)
    return ""


def file_of(study: Study, form: str) -> StreamingHttpResponse:
    """A streamed answer that a browser stores. UserError where the form cannot hold the rewrites."""
    kind = REWRITE_FORMATS.get(form)
    chunks = export_rewrites(study, form)
    assert kind is not None
    headers = as_attachment(f"{study.slug}-gold{kind.suffix}")
    return StreamingHttpResponse(chunks, content_type=kind.media_type, headers=headers)


def answers_as_file(
    study: Study, options: dict[str, Any], by: Any, campaign: Campaign | None = None
) -> StreamingHttpResponse:
    """A streamed answer that a browser stores; a UserError where an option is wrong."""
    asked, chunks = export_answers(study=study, campaign=campaign, options=options, by=by)
    slug = f"{study.slug}-{campaign.slug}" if campaign else study.slug
    headers = as_attachment(file_name(slug, asked.format))
    return StreamingHttpResponse(chunks, content_type=EXPORT_FORMATS[asked.format].media_type, headers=headers)


def claim_of(request: Any, campaign: Campaign, number: int) -> Claim:
    """The item as assignment 1 presents it, under a lease that nobody has."""
    item = campaign.items.filter(number=number).first()
    if item is None:
        raise Http404("There is no such item.")
    assignment = campaign.assignments.filter(item=item, pilot=False, number=1).first()
    order = assignment.order if assignment else TASK_TYPES[campaign.task_type].order(item.content, number, 1)
    context = AnnotatorContext(
        campaign.pk, campaign.name, campaign.state, campaign.task_type, campaign.settings, 0, [],
        campaign.guideline_version, campaign.size, 0, 0, 0, None, None, None, None, {}, None, None,
        request.user, request.study,
        submits_at_once=campaign.submits_at_once, style_descriptions=request.study.style_descriptions,
        target_style=target_of(item),
    )  # fmt: skip
    work = LeasedItem(number, UUID(int=0), timezone.now(), order, item.pk, number, None, item.content, None, 0)
    return Claim(context, work)
