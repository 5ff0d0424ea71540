from typing import Any
from uuid import uuid5

from django.db import transaction
from django.db.models import QuerySet

from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import submit_answer
from annotation.campaigns.items import copy_items
from annotation.engine.assignment_queue import Claim
from annotation.models import Answer, Item, MachineRater
from annotation.task_types import TASK_TYPES
from evaluation.llm_judge.asking import JudgeContext
from evaluation.llm_judge.fields import MachineFields
from evaluation.llm_judge.kinds import KINDS
from evaluation.llm_judge.rater import ItemAtHand, MachineWork
from foundation.errors import UserError
from foundation.options import validate_options
from jobs.execution import JobResult, Progress
from modelserving.prompting.model import service_of

AT_ONCE = 512  # questions that the service has at the same time, as a judge has
SAYS_NOTHING = "The model's answers hold no judgement."
Values = dict[tuple[str, tuple[int, ...]], Any]


def rate_by_machine(*, machine: MachineRater, progress: Progress) -> JobResult:
    """Let the machine work until its queue is empty: it claims an item, is asked, and submits, as a person does.

    The questions about the next items are asked together. Killed at any place it goes on: an item in its hands comes
    back by the claim, and an answer of the model that was kept is not asked for again.

    Raises:
        UserError: The service refuses, the cost is reached, or no answer holds a judgement.
    """
    fields: MachineFields = validate_options(MachineFields, machine.settings)
    guideline = machine.campaign.guidelines.get(version=machine.campaign.guideline_version)
    work = KINDS[machine.of.task_type](fields, machine.of.settings, guideline.text)
    context = JudgeContext(machine, progress)
    work.say = context.say
    with transaction.atomic():
        copy_items(machine.campaign, machine.of)
    total = machine.campaign.size
    claim = claim_assignment(study=machine.of.study, campaign=machine.campaign.slug, person=machine.person)
    while claim.work is not None:
        progress.at(_acts(machine).count(), total)
        items = _next_items(machine, work, claim.work.item)
        ready = _asked_about(work, items, context)
        while claim.work is not None and claim.work.item in ready:
            claim = _hand_in(machine, work, claim, items[claim.work.item], ready[claim.work.item])
    return _result(machine, work, context, progress)


def _acts(machine: MachineRater) -> QuerySet[Answer]:
    return Answer.objects.filter(campaign=machine.campaign_id, person=machine.person_id)


def _next_items(machine: MachineRater, work: MachineWork, first: int) -> dict[int, ItemAtHand]:
    """The item in its hands and those that come next in its queue, as many as are asked about together."""
    waiting = Item.objects.filter(campaign=machine.campaign_id).exclude(pk__in=_acts(machine).values("item"))
    rows = waiting.select_related("sentence__direction").order_by("number")
    held = _at_hand(Item.objects.select_related("sentence__direction").get(pk=first))
    each = max(1, sum(1 for _ in work.questions(held)) * work.fields.samples)
    return {first: held, **{row.pk: _at_hand(row) for row in rows.exclude(pk=first)[: AT_ONCE // each]}}


def _at_hand(item: Item) -> ItemAtHand:
    if item.sentence is None:
        return ItemAtHand(item.pk, item.number, item.content)
    direction = item.sentence.direction
    return ItemAtHand(item.pk, item.number, item.content, direction.source_style, direction.target_style)


def _asked_about(work: MachineWork, items: dict[int, ItemAtHand], context: JudgeContext) -> dict[int, Values]:
    """The values that the model gives, by item."""
    questions = [question for item in items.values() for question in work.questions(item)]
    service = service_of(work.fields.service, work.fields.seed, work.response)
    answers = service.answers([one.messages for one in questions], context, work.fields.calls)
    found: dict[int, Values] = {pk: {} for pk in items}
    for question, value in zip(questions, work.read(questions, answers), strict=True):
        if value is not None:
            found[question.item.pk][question.criterion, question.candidates] = value
    for _ in answers:  # none is left; what it ends with is its own
        pass
    return found


def _hand_in(machine: MachineRater, work: MachineWork, claim: Claim, item: ItemAtHand, values: Values) -> Claim:
    """Submit the answer, or skip the item where the model says nothing of it; the next claim."""
    held = claim.item
    answer = work.answer(item, values)
    about: dict[str, Any] = {
        "study": machine.of.study, "campaign": machine.campaign.slug, "person": machine.person,
        "assignment": held.assignment, "lease": held.lease, "key": uuid5(machine.person.pseudonym, f"item {item.pk}"),
    }  # fmt: skip
    if answer is None:
        return skip_item(**about, comment=SAYS_NOTHING)
    content = TASK_TYPES[machine.of.task_type].arranged(answer, held.order)
    return submit_answer(**about, content=content).next


def _result(machine: MachineRater, work: MachineWork, context: JudgeContext, progress: Progress) -> JobResult:
    answered = _acts(machine).filter(outcome=Answer.Outcome.ANSWERED).count()
    unread = _acts(machine).exclude(outcome=Answer.Outcome.ANSWERED).count()
    counts = {"items": machine.campaign.size, "answers": answered, "unread": unread}
    MachineRater.objects.filter(pk=machine.pk).update(counts=counts, usage=context.usage.plain())
    if unread and not answered:
        raise UserError(context.refusal.sentence if context.refusal else SAYS_NOTHING)
    progress.at(answered + unread, answered + unread)
    silent = f"{unread:,} items were skipped: the model's answers hold no judgement." if unread else ""
    warning = " ".join(filter(None, [silent, work.warning, context.usage.warning]))
    return JobResult(f"{answered:,} items are answered. {context.usage}.", warning)
