"""A Zenodo on this machine, as its deposit API is documented (https://developers.zenodo.org/#depositions).

`served.drafts` has the depositions with their files. `served.fault` may give a status before an answer, or "half".
"""

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from support.receivers import Came, Handler
from support.served import serving

TOKEN = "zenodo-of-the-tests"
LICENSES = ("cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "apache-2.0")


@dataclass
class Draft:
    metadata: dict[str, Any]
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass
class ServedZenodo:
    port: int
    requests: list[Came] = field(default_factory=list)
    behave: Any = None
    drafts: dict[int, Draft] = field(default_factory=dict)
    fault: Callable[[str, str], int | str] = lambda method, path: 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class ZenodoHandler(Handler):
    def _answer(self) -> None:
        served: ServedZenodo = self.server.served  # type: ignore[attr-defined]
        body = self._body()
        path = unquote(self.path)
        served.requests.append(Came(self.command, path, dict(self.headers.items()), body))
        if fault := served.fault(self.command, path):
            if fault == "half":
                return self.reply(201, b'{"id": 1, "links"', Content_Type="application/json")
            return self.told(int(fault), {"status": fault, "message": "A fault of the test"})
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.told(401, {"status": 401, "message": "The server could not verify that you are authorized."})
        if (self.command, path) == ("POST", "/api/deposit/depositions"):
            return self._create(served, json.loads(body)["metadata"])
        if self.command == "PUT" and (match := re.fullmatch(r"/api/files/bucket-(\d+)/(.+)", path)):
            served.drafts[int(match[1])].files[match[2]] = body
            checksum = hashlib.md5(body, usedforsecurity=False).hexdigest()
            return self.told(201, {"key": match[2], "size": len(body), "checksum": f"md5:{checksum}"})
        if self.command == "DELETE" and (match := re.fullmatch(r"/api/deposit/depositions/(\d+)", path)):
            del served.drafts[int(match[1])]
            return self.reply(204)
        return self.told(404, {"status": 404, "message": "Not found"})

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        whole = b""
        while size := int(self.rfile.readline().strip(), 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def _create(self, served: ServedZenodo, metadata: dict[str, Any]) -> None:
        wrong = [name for name in ("title", "upload_type", "description", "creators") if not metadata.get(name)]
        if metadata.get("license") and metadata["license"] not in LICENSES:
            wrong.append("license")
        if wrong:
            errors = [{"field": f"metadata.{name}", "message": "Not a valid choice."} for name in wrong]
            return self.told(400, {"status": 400, "message": "Validation error.", "errors": errors})
        number = 100 + len(served.drafts)
        served.drafts[number] = Draft(metadata)
        return self.told(201, {
            "id": number, "state": "unsubmitted", "submitted": False,
            "links": {"bucket": f"{served.url}/api/files/bucket-{number}", "html": f"{served.url}/deposit/{number}",
                      "self": f"{served.url}/api/deposit/depositions/{number}"},
            "metadata": {**metadata, "prereserve_doi": {"doi": f"10.5281/zenodo.{number}", "recid": number}},
        })  # fmt: skip

    def told(self, status: int, said: Any) -> None:
        self.reply(status, json.dumps(said).encode(), Content_Type="application/json")


def zenodo() -> AbstractContextManager[ServedZenodo]:
    return serving(ZenodoHandler, ServedZenodo)
