"""A person's place in a campaign: the facts about both that the engine needs, locked and read in one round trip.

The membership's row is locked until the transaction ends, so the acts of one person in one campaign come one after the
other, from however many tabs. A statement of its own locks it: one that locks and reads sees, once it has waited, the
locked row as it is now and all others as they were before. Everything here and in `queue.py` is SQL by hand, since a
submission must cost the database a handful of statements.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from accounts.database.prepared_statements import fetch_together
from annotation.crowd.participation import ON_AN_OPEN_WAY
from annotation.engine.running_sums import sum_anew
from annotation.independence import join_apart, judging_kinds, serialize_shared_device
from annotation.models import Assignment, Campaign, CampaignMembership
from annotation.task_types import TASK_TYPES, TaskType

LOCK = """
SELECT FROM annotation_campaignmembership membership JOIN annotation_campaign c ON c.id = membership.campaign_id
WHERE membership.person_id = %(person)s AND c.study_id = %(study)s AND c.slug = %(campaign)s
FOR UPDATE OF membership
"""
READ_CONTEXT = """
SELECT c.id, c.name, c.state, c.task_type, c.settings, c.lease_minutes, c.roles, c.guideline_version, c.size,
       membership.id, membership.position, membership.done, assignment.id, assignment.pilot,
       item.id, item.number, item.content,
       assignment."order", twin.id,
       c.purpose, c.seed, c.control_every, c.crew, c.after_id,
       EXISTS (SELECT 1 FROM annotation_campaign f WHERE f.after_id = c.id), item.control,
       membership.state, membership.reason, membership.guideline_read,
       CASE WHEN membership.day = current_date THEN membership.today ELSE 0 END, membership.score, membership.tries,
       EXISTS (SELECT 1 FROM annotation_campaign j WHERE j.study_id = c.study_id AND j.task_type = ANY(%(judging)s)),
       c.mixed, membership.apart, assignment.state, assignment.annotator_id, draft.version, draft.writer,
       c.submits_at_once, style.descriptions, style.target, c.prefetch,
       c.pay, membership.goal, membership.rejected, membership.recent_seconds, membership.paid_seconds,
       membership.answered, membership.summed_done,
       CASE WHEN assignment.pilot = (c.state = 'pilot') THEN assignment.position END,
       CASE WHEN assignment.state = 1 AND assignment.annotator_id = %(person)s AND NOT assignment.ahead
            THEN assignment.lease END
FROM annotation_campaign c
JOIN annotation_campaignmembership membership ON membership.campaign_id = c.id AND membership.person_id = %(person)s
LEFT JOIN annotation_assignment assignment ON assignment.id = %(assignment)s::bigint AND assignment.campaign_id = c.id
LEFT JOIN annotation_item item ON item.id = assignment.item_id
CROSS JOIN LATERAL (
    SELECT st.style_descriptions AS descriptions,
           (SELECT min(r.target_style) FROM corpora_direction r
            WHERE r.study_id = st.id AND (c.direction_id IS NULL OR r.id = c.direction_id)
            HAVING count(*) = 1) AS target
    FROM corpora_study st WHERE st.id = c.study_id
) style
LEFT JOIN annotation_draft draft ON draft.slot_id = assignment.id AND draft.person_id = %(person)s
LEFT JOIN annotation_answer twin ON twin.key = %(key)s::uuid
WHERE c.study_id = %(study)s AND c.slug = %(campaign)s
"""
JOIN = """
INSERT INTO annotation_campaignmembership (campaign_id, person_id, position, done, answered, summed_done, made_at)
SELECT id, %(person)s, 0, 0, 0, 0, now() FROM annotation_campaign WHERE study_id = %(study)s AND slug = %(campaign)s
ON CONFLICT (campaign_id, person_id) DO NOTHING
"""
CAMPAIGN_COLUMNS = 19  # columns before the person and the study


@dataclass(slots=True)
class AnnotatorContext:
    """A campaign and a person's membership in it; `assignment` and what follows are empty where none was named.

    `followed`: another campaign takes the products of this one. `today` counts the person's answers of this day. By
    `held_lease` the person holds the assignment, as the one in their hands. `assignment_position` is empty for one of
    the pilot that is handed in after it, and the other way round. `target_style` is that of the campaign's direction,
    or of the study's only one. `judged`: texts are judged in the study, in whatever campaign. `apart`: the people who
    came in the same browser. The draft is the person's own in that assignment. `open_way`, of people of crowd sites:
    they consented to work here and have not left; None where they never came for this campaign.
    """

    campaign: int
    name: str
    state: str
    task_type_name: str
    settings: dict[str, Any]
    lease_minutes: int
    roles: list[str]
    guideline_version: int
    size: int
    membership: int
    position: int
    done: int
    assignment: int | None
    assignment_pilot: bool | None
    item: int | None
    item_number: int | None
    content: dict[str, Any]
    order: list[int] | None
    twin: int | None
    person: Any
    study: Any
    purpose: str = Campaign.Purpose.WORK
    seed: int = 1
    control_every: int = 0
    eligibility: dict[str, Any] = field(default_factory=dict)
    after: int | None = None
    followed: bool = False
    item_control: bool | None = None
    membership_state: str = CampaignMembership.State.WORKING
    membership_reason: str = ""
    guideline_read: int = 0
    today: int = 0
    score: float | None = None
    attempts: int = 0
    judged: bool = False
    mixed: bool = False
    apart: list[int] = field(default_factory=list)
    assignment_state: int | None = None
    assignment_annotator: int | None = None
    draft_version: int | None = None
    draft_writer: str | None = None
    submits_at_once: bool = False
    style_descriptions: dict[str, str] = field(default_factory=dict)
    target_style: str | None = None
    prefetch: int = 0
    pay: dict[str, Any] = field(default_factory=dict)
    goal: int | None = None
    rejected: int = 0
    recent_seconds: list[float] = field(default_factory=list)
    paid_seconds: float = 0.0
    answered: int | None = None
    summed_done: int | None = None
    assignment_position: int | None = None
    held_lease: UUID | None = None
    open_way: bool | None = True

    def guideline_shown(self, form: Mapping[str, str] | None) -> int:
        """The version of the guideline beside the answer: the page's own, which a newer one may have followed."""
        said = (form or {}).get("guideline", "")
        version = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
        return version if 0 < version <= self.guideline_version else self.guideline_version

    @property
    def task_type(self) -> TaskType:
        return TASK_TYPES[self.task_type_name]

    @property
    def pilot(self) -> bool:
        return self.state == Campaign.State.PILOT

    @property
    def is_qualified(self) -> bool:
        """Whether the person's role may work here; a machine works in its own campaign alone, which has no role."""
        if self.person.is_machine or not self.roles:
            return bool(self.person.is_machine and not self.roles)
        return self.person.is_admin or self.study.role_of(self.person) in self.roles

    @property
    def is_work(self) -> bool:
        """Whether answers are gold; in trainings and qualifications they are not, and everybody does every item."""
        return self.purpose == Campaign.Purpose.WORK

    @property
    def is_handed_in(self) -> bool:
        """Whether the assignment is filled by an answer of this person."""
        return self.assignment_state == Assignment.State.DONE and self.assignment_annotator == self.person.pk

    @property
    def hands_on(self) -> bool:
        """Whether something follows from an answer to the assignment: it settles its item, or a stage takes it."""
        if not self.is_work or self.assignment_pilot or self.item_control:
            return False
        return self.followed or self.task_type.settles == "item"


def annotator_context(
    *, study: Any, campaign: str, person: Any, assignment: int | None = None, key: UUID | None = None
) -> AnnotatorContext:
    """The context of `person` in the campaign of that slug, locked; Campaign.DoesNotExist where none is."""
    asked = {
        "person": person.pk,
        "study": study.pk,
        "campaign": campaign,
        "assignment": assignment,
        "key": key,
        "judging": judging_kinds(),
    }
    row, way = _locked(asked, person)
    if row is None:
        with connection.cursor() as cursor:
            cursor.execute(JOIN, asked)
        join_apart(study.pk, person.pk)
        row, way = _locked(asked, person)
    if row is None:
        raise Campaign.DoesNotExist("There is no such campaign.")
    fields: list[Any] = [*row[:CAMPAIGN_COLUMNS], person, study, *row[CAMPAIGN_COLUMNS:]]
    context: Any = AnnotatorContext(*fields)
    context.settings = orjson.loads(row[4])
    context.content = orjson.loads(row[16]) if row[16] else {}
    context.eligibility = orjson.loads(context.eligibility)
    context.style_descriptions = orjson.loads(context.style_descriptions)
    context.pay = orjson.loads(context.pay)
    context.open_way = way
    if context.answered is None or context.summed_done != context.done:
        context.recent_seconds, context.paid_seconds, context.answered = sum_anew(context.membership)
    serialize_shared_device(context)
    read: AnnotatorContext = context
    return read


def _locked(asked: Mapping[str, Any], person: Any) -> tuple[tuple[Any, ...] | None, bool | None]:
    """The row, and whether the campaign is on an open way of the person; BEGIN goes with them."""
    if not person.from_crowd_site:
        return fetch_together((LOCK, asked), (READ_CONTEXT, asked))[1], True
    _, row, way = fetch_together((LOCK, asked), (READ_CONTEXT, asked), (ON_AN_OPEN_WAY, asked))
    return row, way[0] if way else None
