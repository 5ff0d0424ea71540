"""Prolific as a crowd site. Rewards are in minor units there too; bonuses are written as decimals."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse

from annotation.crowd.sites import SITES
from annotation.models import RecruitmentLink
from foundation.errors import UserError
from foundation.translation import translatable
from integrations.failures import ServiceError
from integrations.prolific.client import ProlificClient, field
from integrations.prolific.hooks import hook_handle
from integrations.recruiting.models import Account, Recruitment, Submission
from integrations.recruiting.money import decimal
from integrations.recruiting.service import Bonus, CrowdService, Seen
from integrations.sealed import seal, unseal

State = Submission.State
TOKEN = re.compile(r"[A-Za-z0-9._~-]{20,300}")
STATES = {
    "RESERVED": State.ACTIVE, "ACTIVE": State.ACTIVE, "AWAITING REVIEW": State.AWAITING, "APPROVED": State.APPROVED,
    "PARTIALLY APPROVED": State.APPROVED, "REJECTED": State.REJECTED, "RETURNED": State.RETURNED,
    "TIMED-OUT": State.TIMED_OUT, "SCREENED OUT": State.SCREENED_OUT,
}  # fmt: skip
AT_ONCE = 1_000  # submissions that are approved by a request, as the documentation advises
EVENT = "submission.status.change"


class Prolific(CrowdService):
    name, label = RecruitmentLink.Site.PROLIFIC.value, "Prolific"
    pays_screened_out = True
    shortest_reason = 100
    categories = (
        "TOO_QUICKLY", "TOO_SLOWLY", "FAILED_INSTRUCTIONS", "INCOMP_LONGITUDINAL", "FAILED_CHECK", "LOW_EFFORT",
        "MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA", "UNSUPP_DEVICE", "OTHER",
    )  # fmt: skip
    notifies = True

    def check_token(self, token: str) -> str:
        if not TOKEN.fullmatch(token.strip()):
            raise UserError("This is not a token of Prolific.", where="token")
        return token.strip()

    def connect(self, account: Account) -> Mapping[str, Any]:
        client = _client(account)
        person = client.get("users/me/")
        workspaces = list(client.pages("workspaces/"))
        workspace = field(workspaces[0] if workspaces else {}, "id", str)
        told = {"person": str(person.get("id", "")), "currency": person.get("currency_code") or "GBP"}
        return {**told, "workspace": workspace, "hooks": _subscribe(client, account, workspace)}

    def draft(self, recruitment: Recruitment, address: str) -> str:
        """A study that an earlier try may have made, whose answer was lost, is found by its internal name."""
        client, name = _client(recruitment.account), _internal_name(recruitment)
        for study in client.pages("studies/?state=UNPUBLISHED"):
            if study.get("internal_name") == name:
                return str(field(study, "id", str))
        return str(field(client.post("studies/", _study(recruitment, name, address)), "id", str))

    def publish(self, recruitment: Recruitment) -> str:
        """Publish; in a sandbox to test participants alone, which costs nothing."""
        client, path = _client(recruitment.account), f"studies/{recruitment.external_id}/"
        if self.status(recruitment) == "UNPUBLISHED":
            if recruitment.sandbox:
                client.post(f"{path}test-study")
            else:
                client.post(f"{path}transition/", {"action": "PUBLISH"})
        return self.status(recruitment)

    def stop(self, recruitment: Recruitment) -> str:
        if self.status(recruitment) in ("ACTIVE", "PAUSED", "PUBLISHING", "SCHEDULED"):
            path = f"studies/{recruitment.external_id}/transition/"
            _client(recruitment.account).post(path, {"action": "STOP"})
        return self.status(recruitment)

    def status(self, recruitment: Recruitment) -> str:
        study = _client(recruitment.account).get(f"studies/{recruitment.external_id}/")
        return str(field(study, "status", str))[:40]

    def submissions(self, recruitment: Recruitment) -> Iterator[Seen]:
        for row in _client(recruitment.account).pages(f"submissions/?study={recruitment.external_id}"):
            state = STATES.get(row.get("status", ""))
            if state is not None:  # PROCESSING stands for a moment between two states
                yield Seen(field(row, "id", str)[:100], field(row, "participant_id", str)[:100], state)

    def approve(self, recruitment: Recruitment, submissions: Sequence[Submission]) -> None:
        keys = [one.external_id for one in submissions]
        for start in range(0, len(keys), AT_ONCE):
            body = {"submission_ids": keys[start : start + AT_ONCE]}
            _client(recruitment.account).post("submissions/bulk-approve/", body)

    def reject(self, recruitment: Recruitment, submission: Submission, reason: str, category: str) -> None:
        body = {"action": "REJECT", "message": reason, "rejection_category": category or "OTHER"}
        _client(recruitment.account).post(f"submissions/{submission.external_id}/transition/", body)

    def screen_out(self, recruitment: Recruitment, submission: Submission) -> None:
        body = {"action": "COMPLETE", "completion_code": recruitment.screen_out_pay_code}
        _client(recruitment.account).post(f"submissions/{submission.external_id}/transition/", body)

    def prepare_bonuses(self, recruitment: Recruitment, bonuses: Sequence[Bonus]) -> str:
        """Set the bonuses up: nothing is paid yet. Prolific tells what it read, which must be what was asked."""
        lines = "\n".join(f"{one.submission.external_id},{decimal(one.amount)}" for one in bonuses)
        body = {"study_id": recruitment.external_id, "csv_bonuses": lines}
        answer = _client(recruitment.account).post("submissions/bonus-payments/", body)
        read = answer.get("amount")
        if not isinstance(read, int | float) or round(read) != sum(one.amount for one in bonuses):
            raise ServiceError(DIFFERENT, permanent=True)
        return str(field(answer, "id", str))

    def pay_bonuses(self, recruitment: Recruitment, bonuses: Sequence[Bonus], prepared: str) -> None:
        _client(recruitment.account).post(f"bulk-bonus-payments/{prepared}/pay/")

    def message(self, recruitment: Recruitment, people: Sequence[str], text: str) -> None:
        body = {"ids": list(people), "body": text, "study_id": recruitment.external_id}
        _client(recruitment.account).post("messages/bulk/", body)


DIFFERENT = translatable("Prolific read another amount than the one that was asked; nothing was paid.")


def _client(account: Account) -> ProlificClient:
    return ProlificClient(unseal(account.token))


def _internal_name(recruitment: Recruitment) -> str:
    return f"restyle-{recruitment.recruitment_link.secret[:12]}"


def _study(recruitment: Recruitment, name: str, address: str) -> dict[str, Any]:
    return {
        "name": recruitment.name,
        "internal_name": name,
        "description": recruitment.description,
        "external_study_url": address + SITES[RecruitmentLink.Site.PROLIFIC].query,
        "prolific_id_option": "url_parameters",
        "completion_codes": _codes(recruitment),
        "total_available_places": recruitment.places,
        "estimated_completion_time": recruitment.minutes,
        "reward": recruitment.reward,
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "peripheral_requirements": [],
        "filters": [],
    }


def _codes(recruitment: Recruitment) -> list[dict[str, Any]]:
    """The codes that people bring back wait for a review. That which pays for a screen-out is the researchers' own."""
    link, review = recruitment.recruitment_link, [{"action": "MANUALLY_REVIEW"}]
    codes: list[dict[str, Any]] = [
        {"code": link.completion_code, "code_type": "COMPLETED", "actions": review},
        {"code": link.screen_out_code, "code_type": "SCREENED_OUT", "actions": review},
    ]
    if recruitment.screen_out_reward:
        pays = {"fixed_screen_out_reward": recruitment.screen_out_reward, "slots": recruitment.places}
        actions = [{"action": "FIXED_SCREEN_OUT_PAYMENT", **pays}]
        code = {"code": recruitment.screen_out_pay_code, "code_type": "FIXED_SCREEN_OUT", "actor": "researcher"}
        codes.append({**code, "actions": actions})
    return codes


def _subscribe(client: ProlificClient, account: Account, workspace: str) -> bool:
    """Have the changes of submissions come here; whether they do. Prolific sends to https alone."""
    target = settings.SITE_URL + reverse("prolific_hook", args=[hook_handle(account.pk)])
    if not target.startswith("https://") and not settings.OUTGOING_PRIVATE:
        return False
    account.hook_secret = seal(_secret(client, workspace))
    known = client.pages(f"hooks/subscriptions/?workspace_id={workspace}&is_enabled=true")
    if any(one.get("target_url") == target and one.get("event_type") == EVENT for one in known):
        return True
    asked = {"workspace_id": workspace, "event_type": EVENT, "target_url": target}
    made, headers = client.told("hooks/subscriptions/", asked)
    confirmation = headers.get("x-hook-secret", "")
    client.post(f"hooks/subscriptions/{field(made, 'id', str)}/", {"secret": confirmation})
    return True


def _secret(client: ProlificClient, workspace: str) -> str:
    """The workspace's one secret; where there is none it is made."""
    for one in client.pages(f"hooks/secrets/?workspace_id={workspace}"):
        return str(field(one, "value", str))
    return str(field(client.post("hooks/secrets/", {"workspace_id": workspace}), "value", str))
