"""A Prolific of this machine, as https://docs.prolific.com/api-reference describes it.

    with prolific() as site:
        settings.PROLIFIC_URL = site.url

`site.behave` takes the place of an answer once, for a site that is slow, busy, or gives half an answer.
"""

import base64
import hashlib
import hmac
import itertools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from support.receivers import Came, Handler, receiver

TOKEN = "a-token-of-prolific-that-is-long-enough"
NEEDED = {
    "name", "description", "external_study_url", "prolific_id_option", "completion_codes", "total_available_places",
    "estimated_completion_time", "reward", "device_compatibility",
}  # fmt: skip


@dataclass
class ProlificSite:
    """What the site holds. Amounts are in pence."""

    port: int = 0
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    bulks: dict[str, dict[str, Any]] = field(default_factory=dict)
    paid: dict[str, int] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    secret: str = ""
    hooks: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    behave: Callable[[Handler, Came], bool] | None = None
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def comes(self, study: str, person: str, status: str = "ACTIVE") -> str:
        """Somebody takes a place."""
        key = f"{next(self.numbers):024x}"
        self.submissions[key] = {"id": key, "participant_id": person, "study_id": study, "status": status}
        return key

    def signed(self, body: bytes, *, secret: str = "", at: float = 0) -> dict[str, str]:
        """The headers of a hook."""
        stamp = str(int(at or time.time()))
        made = hmac.new((secret or self.secret).encode(), stamp.encode() + body, hashlib.sha256).digest()
        return {
            "X-Prolific-Request-Timestamp": stamp, "X-Prolific-Request-Signature": base64.b64encode(made).decode(),
        }  # fmt: skip

    def hook(self, key: str) -> bytes:
        """The body of a hook about a submission as it is."""
        row = self.submissions[key]
        told = {"resource_id": key, "event_type": "submission.status.change", "participant_id": row["participant_id"]}
        return json.dumps({**told, "status": row["status"]}).encode()


class ProlificHandler(Handler):
    def _answer(self) -> None:
        site: ProlificSite = self.server.served  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("content-length", 0) or 0))
        came = Came(self.command, self.path, dict(self.headers), body)
        parts = urlsplit(self.path)
        site.asked.append(f"{self.command} {parts.path.removeprefix('/api/v1/')}")
        behave, site.behave = site.behave, None
        if behave and behave(self, came):
            return
        if self.headers.get("Authorization") != f"Token {TOKEN}":
            self.refuse(401, "Incorrect authentication credentials.")
            return
        path = [one for one in parts.path.removeprefix("/api/v1/").split("/") if one]
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        given = json.loads(body) if body else {}
        act = getattr(self, f"{self.command.lower()}_{path[0].replace('-', '_')}", None)
        if act is None:
            self.refuse(404, "Not found.")
        else:
            act(site, path[1:], given if self.command == "POST" else query)

    def tell(self, what: Any, status: int = 200, **headers: str) -> None:
        self.reply(status, json.dumps(what).encode(), Content_Type="application/json", **headers)

    def refuse(self, status: int, detail: Any) -> None:
        self.tell({"error": {"status": status, "title": "Error", "detail": detail}}, status)

    def rows(self, rows: Any, query: dict[str, str]) -> None:
        """Two rows a page, so that pages are read."""
        page = int(query.get("page", 1))
        more = {"href": f"{self.path}&page={page + 1}" if page * 2 < len(rows) else None}
        self.tell({"results": rows[2 * page - 2 : 2 * page], "_links": {"next": more}, "meta": {"count": len(rows)}})

    def get_users(self, site: ProlificSite, path: list[str], query: dict[str, str]) -> None:
        self.tell({"id": "5a", "email": "lab@example.org", "currency_code": "GBP"})

    def get_workspaces(self, site: ProlificSite, path: list[str], query: dict[str, str]) -> None:
        self.rows([{"id": "6w", "title": "A lab"}], query)

    def get_studies(self, site: ProlificSite, path: list[str], query: dict[str, str]) -> None:
        if path:
            found = site.studies.get(path[0])
            self.tell(found) if found else self.refuse(404, "No Study matches the given query.")
        else:
            self.rows([one for one in site.studies.values() if one["status"] == query.get("state")], query)

    def post_studies(self, site: ProlificSite, path: list[str], given: dict[str, Any]) -> None:
        if not path:
            lacking = NEEDED - set(given)
            if lacking:
                self.refuse(400, {name: ["This field is required."] for name in sorted(lacking)})
                return
            key = f"{next(site.numbers):024x}"
            site.studies[key] = {**given, "id": key, "status": "UNPUBLISHED", "test": False}
            self.tell(site.studies[key], 201)
            return
        study = site.studies[path[0]]
        if path[1] == "test-study" or given.get("action") == "PUBLISH":
            study |= {"status": "ACTIVE", "test": path[1] == "test-study"}
        elif given.get("action") == "STOP":
            study["status"] = "AWAITING REVIEW"
        self.tell(study)

    def get_submissions(self, site: ProlificSite, path: list[str], query: dict[str, str]) -> None:
        self.rows([one for one in site.submissions.values() if one["study_id"] == query.get("study")], query)

    def post_submissions(self, site: ProlificSite, path: list[str], given: dict[str, Any]) -> None:
        if path[0] == "bulk-approve":
            for key in given["submission_ids"]:
                site.submissions[key]["status"] = "APPROVED"
            self.tell("The request to bulk approve has been made successfully.")
        elif path[0] == "bonus-payments":
            self._set_bonuses_up(site, given)
        else:
            self._transit(site, site.submissions[path[0]], given)

    def _transit(self, site: ProlificSite, row: dict[str, Any], given: dict[str, Any]) -> None:
        if given["action"] == "REJECT":
            if len(given.get("message", "")) < 100 or not given.get("rejection_category"):
                self.refuse(400, "message: it must be at least 100 characters long.")
                return
            row["status"] = "REJECTED"
        elif given["action"] == "COMPLETE":
            codes = site.studies[row["study_id"]]["completion_codes"]
            code = next((one for one in codes if one["code"] == given["completion_code"]), None)
            if code is None or code.get("actor") != "researcher":
                self.refuse(400, "The completion code is not one for researchers.")
                return
            row["status"] = "SCREENED OUT"
        self.tell(row)

    def _set_bonuses_up(self, site: ProlificSite, given: dict[str, Any]) -> None:
        lines = [line.split(",") for line in given["csv_bonuses"].splitlines()]
        unknown = [key for key, _ in lines if key not in site.submissions]
        if unknown:
            self.refuse(400, f"Incorrect ids: {unknown}")
            return
        amounts = {key: round(float(amount) * 100) for key, amount in lines}
        bulk = f"{next(site.numbers):024x}"
        site.bulks[bulk] = {"amounts": amounts, "paid": False}
        total = sum(amounts.values())
        told = {"id": bulk, "study": given["study_id"], "amount": total, "fees": round(total / 3, 2), "vat": 0}
        self.tell(told, 201)

    def post_bulk_bonus_payments(self, site: ProlificSite, path: list[str], given: dict[str, Any]) -> None:
        bulk = site.bulks[path[0]]
        if not bulk["paid"]:
            for key, amount in bulk["amounts"].items():
                site.paid[key] = site.paid.get(key, 0) + amount
        bulk["paid"] = True
        self.tell("Successfully processed bonus payments.", 202)

    def post_messages(self, site: ProlificSite, path: list[str], given: dict[str, Any]) -> None:
        site.messages.append(given)
        self.reply(204)

    def get_hooks(self, site: ProlificSite, path: list[str], query: dict[str, str]) -> None:
        secrets = [{"id": "h1", "value": site.secret, "workspace_id": "6w"}] if site.secret else []
        self.rows(secrets if path[0] == "secrets" else list(site.hooks.values()), query)

    def post_hooks(self, site: ProlificSite, path: list[str], given: dict[str, Any]) -> None:
        if path[0] == "secrets":
            site.secret = "the secret of the workspace"
            self.tell({"id": "h1", "value": site.secret, "workspace_id": given["workspace_id"]}, 201)
        elif len(path) == 1:
            key = f"{next(site.numbers):024x}"
            site.hooks[key] = {**given, "id": key, "is_enabled": False}
            self.tell({**site.hooks[key]}, 201, X_Hook_Secret=f"confirm {key}")
        elif given.get("secret") == f"confirm {path[1]}":
            site.hooks[path[1]]["is_enabled"] = True
            self.tell(site.hooks[path[1]])
        else:
            self.refuse(400, "The secret is another one.")


@contextmanager
def prolific(*, shared: bool = False) -> Iterator[ProlificSite]:
    with receiver(ProlificHandler, made=ProlificSite, shared=shared) as site:
        yield site
