"""A Mechanical Turk of this machine, as docs.aws.amazon.com/AWSMechTurk describes its API (JSON 1.1).

`site.behave` takes the place of an answer once, for a site that is slow, busy, or gives half an answer.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from support.receivers import Came, Handler, receiver

KEY, SECRET = "AKIAOFTHETESTS123456", "a/secret+key/of/the/tests/that/is/long="
TOKEN = f"{KEY}:{SECRET}"
SERVICE = "MTurkRequesterServiceV20170117."


@dataclass
class TurkSite:
    """What the site holds. Amounts are in cents."""

    port: int = 0
    types: dict[str, dict[str, Any]] = field(default_factory=dict)
    hits: dict[str, dict[str, Any]] = field(default_factory=dict)
    assignments: dict[str, dict[str, Any]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    behave: Callable[[Handler, Came, str], bool] | None = None
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def submits(self, hit: str, worker: str) -> str:
        key = f"A{next(self.numbers):029d}"
        self.assignments[key] = {
            "AssignmentId": key, "WorkerId": worker, "HITId": hit, "AssignmentStatus": "Submitted",
        }  # fmt: skip
        return key


class TurkHandler(Handler):
    def _answer(self) -> None:
        site: TurkSite = self.server.served  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("content-length", 0) or 0))
        operation = self.headers.get("X-Amz-Target", "").removeprefix(SERVICE)
        site.asked.append(operation)
        behave, site.behave = site.behave, None
        if behave and behave(self, Came(self.command, self.path, dict(self.headers), body), operation):
            return
        signed = self.headers.get("Authorization", "")
        if (
            not signed.startswith(f"AWS4-HMAC-SHA256 Credential={KEY}/")
            or "/mturk-requester/aws4_request" not in signed
        ):
            self.refuse("UnrecognizedClientException", "The security token included in the request is invalid.", 400)
            return
        getattr(self, operation)(site, json.loads(body or b"{}"))

    def tell(self, what: Any) -> None:
        self.reply(200, json.dumps(what).encode(), Content_Type="application/x-amz-json-1.1")

    def refuse(self, code: str, words: str, status: int = 400) -> None:
        body = json.dumps({"__type": code, "Message": words}).encode()
        self.reply(status, body, Content_Type="application/x-amz-json-1.1")

    def GetAccountBalance(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        self.tell({"AvailableBalance": "10000.00"})

    def CreateHITType(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        same = next((key for key, one in site.types.items() if one == given), "")
        key = same or f"T{next(site.numbers):029d}"
        site.types[key] = given
        self.tell({"HITTypeId": key})

    def CreateHITWithHITType(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        token = given["UniqueRequestToken"]
        if token not in site.tokens:
            key = f"H{next(site.numbers):029d}"
            site.tokens[token] = key
            site.hits[key] = {**given, "HITId": key, "HITStatus": "Assignable"}
        self.tell({"HIT": {"HITId": site.tokens[token], "HITTypeId": given["HITTypeId"], "HITStatus": "Assignable"}})

    def GetHIT(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        hit = site.hits[given["HITId"]]
        self.tell({"HIT": {"HITId": hit["HITId"], "HITStatus": hit["HITStatus"]}})

    def UpdateExpirationForHIT(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        site.hits[given["HITId"]]["HITStatus"] = "Reviewable"
        self.tell({})

    def ListAssignmentsForHIT(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        """One row a page, so that pages are read."""
        rows = [one for one in site.assignments.values() if one["HITId"] == given["HITId"]]
        at = int(given.get("NextToken", 0))
        more = {"NextToken": str(at + 1)} if at + 1 < len(rows) else {}
        self.tell({"NumResults": 1, "Assignments": rows[at : at + 1], **more})

    def GetAssignment(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        self.tell({"Assignment": site.assignments[given["AssignmentId"]]})

    def ApproveAssignment(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        self._decide(site, given, "Approved")

    def RejectAssignment(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        self._decide(site, given, "Rejected")

    def _decide(self, site: TurkSite, given: dict[str, Any], status: str) -> None:
        row = site.assignments[given["AssignmentId"]]
        if row["AssignmentStatus"] != "Submitted":
            self.refuse("RequestError", "This operation can be called with a status of: Submitted")
            return
        row["AssignmentStatus"] = status
        self.tell({})

    def SendBonus(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        token = given["UniqueRequestToken"]
        if token in site.tokens:
            self.refuse("RequestError", f'The idempotency token "{token}" has already been processed.')
            return
        site.tokens[token] = given["AssignmentId"]
        amount = round(float(given["BonusAmount"]) * 100)
        site.paid[given["AssignmentId"]] = site.paid.get(given["AssignmentId"], 0) + amount
        self.tell({})

    def NotifyWorkers(self, site: TurkSite, given: dict[str, Any]) -> None:  # noqa: N802
        site.messages.append(given)
        self.tell({"NotifyWorkersFailureStatuses": []})


@contextmanager
def mechanical_turk(*, shared: bool = False) -> Iterator[TurkSite]:
    with receiver(TurkHandler, made=TurkSite, shared=shared) as site:
        yield site
