"""Mechanical Turk as a crowd site: one task (HIT) with an assignment for each person.

A task is seen as soon as it is made. So a draft is only its type (CreateHITType), which nobody sees, and publishing
makes the task. Amazon tells nobody who returned a task: leases of such people end by themselves.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape

from django.conf import settings
from django.urls import reverse

from annotation.crowd.sites import to_paste
from annotation.models import RecruitmentLink
from foundation.errors import UserError
from integrations.failures import ServiceError
from integrations.mturk.client import TurkClient, TurkError
from integrations.recruiting.models import Account, Recruitment, Submission
from integrations.recruiting.money import decimal
from integrations.recruiting.service import Bonus, CrowdService, Seen
from integrations.sealed import unseal

State = Submission.State
TOKEN = re.compile(r"[A-Z0-9]{16,128}:[A-Za-z0-9/+=]{16,200}")
STATES = {"Submitted": State.AWAITING, "Approved": State.APPROVED, "Rejected": State.REJECTED}
DRAFT = "type:"
LIFETIME = 7 * 24 * 3600
SLACK = 3  # times the minutes that people are told, until an assignment goes to somebody else
LATEST = 30 * 24 * 3600  # Amazon approves by itself after at most so many seconds
AT_ONCE = 100  # people of a message
THANKS = "For your work beyond the reward."
QUESTION = """<HTMLQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/\
HTMLQuestion.xsd"><HTMLContent><![CDATA[<!DOCTYPE html>
<html><head><meta charset="utf-8">
<script src="https://s3.amazonaws.com/mturk-public/externalHIT_v1.js"></script></head>
<body><form name="mturk_form" id="mturk_form" method="post" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" name="assignmentId" id="assignmentId" value="">
{task}
<p><input type="submit" id="submitButton" value="Submit"></p></form>
<script>turkSetAssignmentID();</script></body></html>]]></HTMLContent><FrameHeight>0</FrameHeight></HTMLQuestion>"""


class MechanicalTurk(CrowdService):
    name, label = RecruitmentLink.Site.MTURK.value, "Mechanical Turk"
    currency = "USD"

    def check_token(self, token: str) -> str:
        if not TOKEN.fullmatch(token.strip()):
            raise UserError("This is not an access key, a colon and a secret key.", where="token")
        return token.strip()

    def connect(self, account: Account) -> Mapping[str, Any]:
        balance = _client(account).ask("get_account_balance").get("AvailableBalance", "")
        return {"currency": self.currency, "balance": str(balance), "hooks": False}

    def draft(self, recruitment: Recruitment, address: str) -> str:
        """The type of the task: the same words make the same type, so asking twice does no harm."""
        made = _client(recruitment.account).ask(
            "create_hit_type", Title=recruitment.name, Description=recruitment.description[:2000],
            Reward=decimal(recruitment.reward), AssignmentDurationInSeconds=max(600, SLACK * 60 * recruitment.minutes),
            AutoApprovalDelayInSeconds=LATEST, Keywords="text, writing",
        )  # fmt: skip
        return DRAFT + _field(made, "HITTypeId")

    def publish(self, recruitment: Recruitment) -> str:
        """Make the task; its token has Amazon make no second one, where the answer to an earlier try was lost."""
        if recruitment.external_id.startswith(DRAFT):
            made = _client(recruitment.account).ask(
                "create_hit_with_hit_type", HITTypeId=recruitment.external_id.removeprefix(DRAFT),
                MaxAssignments=recruitment.places, LifetimeInSeconds=LIFETIME, Question=_question(recruitment),
                UniqueRequestToken=f"restyle-{recruitment.recruitment_link.secret[:40]}",
            )  # fmt: skip
            recruitment.external_id = _field(made.get("HIT") or {}, "HITId")
        return self.status(recruitment)

    def stop(self, recruitment: Recruitment) -> str:
        if not recruitment.external_id.startswith(DRAFT):
            past = datetime(2015, 1, 1, tzinfo=UTC)
            _client(recruitment.account).ask("update_expiration_for_hit", HITId=recruitment.external_id, ExpireAt=past)
        return self.status(recruitment)

    def status(self, recruitment: Recruitment) -> str:
        if recruitment.external_id.startswith(DRAFT):
            return "UNPUBLISHED"
        found = _client(recruitment.account).ask("get_hit", HITId=recruitment.external_id)
        return _field(found.get("HIT") or {}, "HITStatus")[:40]

    def submissions(self, recruitment: Recruitment) -> Iterator[Seen]:
        if recruitment.external_id.startswith(DRAFT):
            return
        rows = _client(recruitment.account).pages(
            "list_assignments_for_hit", "Assignments", HITId=recruitment.external_id
        )
        for row in rows:
            state = STATES.get(row.get("AssignmentStatus", ""))
            if state is not None:
                yield Seen(_field(row, "AssignmentId")[:100], _field(row, "WorkerId")[:100], state)

    def approve(self, recruitment: Recruitment, submissions: Sequence[Submission]) -> None:
        client = _client(recruitment.account)
        for one in submissions:
            _unless_done(client, one, "Approved", "approve_assignment", AssignmentId=one.external_id)

    def reject(self, recruitment: Recruitment, submission: Submission, reason: str, category: str) -> None:
        given = {"AssignmentId": submission.external_id, "RequesterFeedback": reason[:1024]}
        _unless_done(_client(recruitment.account), submission, "Rejected", "reject_assignment", **given)

    def pay_bonuses(self, recruitment: Recruitment, bonuses: Sequence[Bonus], prepared: str) -> None:
        """Each bonus has a token, which Amazon pays once; a token that it knows already was paid."""
        client = _client(recruitment.account)
        for one in bonuses:
            try:
                client.ask(
                    "send_bonus", WorkerId=one.submission.person_id_there, AssignmentId=one.submission.external_id,
                    BonusAmount=decimal(one.amount), Reason=THANKS, UniqueRequestToken=f"restyle-{one.key}",
                )  # fmt: skip
            except TurkError as failure:
                if "idempotency token" not in str(failure).lower():
                    raise

    def message(self, recruitment: Recruitment, people: Sequence[str], text: str) -> None:
        for start in range(0, len(people), AT_ONCE):
            _client(recruitment.account).ask(
                "notify_workers", Subject=recruitment.name[:200], MessageText=text[:4096],
                WorkerIds=list(people[start : start + AT_ONCE]),
            )  # fmt: skip


def _client(account: Account) -> TurkClient:
    return TurkClient(unseal(account.token), sandbox=account.sandbox)


def _field(answer: Mapping[str, Any], name: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str) or not value:
        raise ServiceError("Mechanical Turk gave an answer without {name}.", permanent=False, status=200, name=name)
    return value


def _unless_done(client: TurkClient, one: Submission, wanted: str, operation: str, **given: Any) -> None:
    """Do it; a refusal where the assignment already is as wanted, by an earlier try, is none."""
    try:
        client.ask(operation, **given)
    except TurkError:
        known = client.ask("get_assignment", AssignmentId=one.external_id).get("Assignment") or {}
        if known.get("AssignmentStatus") != wanted:
            raise


def _question(recruitment: Recruitment) -> str:
    """The page of the task: the link to this site, opened in a tab, and the field for the code."""
    url = settings.SITE_URL + reverse("crowd_enter", args=[recruitment.recruitment_link.secret])
    task = to_paste(RecruitmentLink.Site.MTURK, escape(url)).replace('name="code"', 'name="code" maxlength="40"')
    return QUESTION.format(task=task)
