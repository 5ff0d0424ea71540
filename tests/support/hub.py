"""A Hugging Face Hub on this machine, as its API is documented (https://huggingface.co/docs/hub/api) and as its own
library asks it: repositories, settings, uploads by Git LFS, commits in NDJSON, trees, files.

    with hub() as served:
        settings.HUGGING_FACE_URL = served.url

`served.repos["lab/tone"]` has what is there, of a model `served.repos["models/lab/tone"]`. `served.fault` is asked
before each answer and may give a status, or "half" for an answer that breaks off.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml
from support.receivers import Came, Handler
from support.served import serving

TOKEN = "hf_of_the_tests"
INLINE = (".md", ".json", ".cff", ".gitattributes")
"""Files that the Hub keeps in Git; others go to large file storage."""
ROUTES: list[tuple[str, str, str]] = [
    ("POST", r"/api/repos/create", "create"), ("POST", r"/api/validate-yaml", "card"),
    ("PUT", r"/api/(?P<kind>datasets|models)/(?P<repo>[^/]+/[^/]+)/settings", "settings"),
    ("POST", r"/api/(?P<kind>datasets|models)/(?P<repo>[^/]+/[^/]+)/preupload/main", "preupload"),
    ("POST", r"/(?P<kind>datasets/)?(?P<repo>[^/]+/[^/]+)\.git/info/lfs/objects/batch", "batch"),
    ("PUT", r"/lfs/(?P<oid>[0-9a-f]{64})", "store"),
    ("POST", r"/api/(?P<kind>datasets|models)/(?P<repo>[^/]+/[^/]+)/commit/main", "commit"),
    ("GET", r"/api/(?P<kind>datasets|models)/(?P<repo>[^/]+/[^/]+)/tree/(?P<revision>[^/]+).*", "tree"),
    ("GET", r"/api/(?P<kind>datasets|models)/(?P<repo>[^/]+/[^/]+?)(?:/revision/[^/]+)?", "info"),
    ("GET|HEAD", r"/(?P<kind>datasets/)?(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<path>.+)", "resolve"),
]  # fmt: skip


@dataclass
class Repo:
    private: bool
    gated: Any = False
    sha: str = "0" * 40
    files: dict[str, bytes] = field(default_factory=lambda: {".gitattributes": b"*.parquet filter=lfs\n"})


@dataclass
class ServedHub:
    port: int
    requests: list[Came] = field(default_factory=list)
    behave: Any = None
    repos: dict[str, Repo] = field(default_factory=dict)
    stored: dict[str, bytes] = field(default_factory=dict)
    fault: Callable[[str, str], int | str] = lambda method, path: 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class HubHandler(Handler):
    def _answer(self) -> None:
        served: ServedHub = self.server.served  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = unquote(urlsplit(self.path).path)
        served.requests.append(Came(self.command, path, dict(self.headers.items()), body))
        if fault := served.fault(self.command, path):
            return self._broken(fault)
        for methods, pattern, name in ROUTES:
            if self.command in methods.split("|") and (match := re.fullmatch(pattern, path)):
                return self._routed(served, name, match.groupdict(), body)
        return self.told(404, {"error": "Not found"})

    def _broken(self, fault: int | str) -> None:
        if fault == "half":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"fi')
            self.close_connection = True
        else:
            self.told(int(fault), {"error": "A fault of the test"})

    def _routed(self, served: ServedHub, name: str, found: dict[str, str], body: bytes) -> None:
        is_model = "repo" in found and not (found["kind"] or "models").startswith("datasets")
        repo = served.repos.get("models/" * is_model + found.get("repo", ""))
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if bearer not in ("", TOKEN) or (not bearer and self.command in ("POST", "PUT") and name != "store"):
            return self.told(401, {"error": "Invalid credentials in Authorization header"})
        if name not in ("create", "store", "card") and (repo is None or (repo.private and bearer != TOKEN)):
            return self.told(404 if bearer else 401, {"error": "Repository not found"},
                             X_Error_Code="RepoNotFound")  # fmt: skip
        return getattr(self, f"hub_{name}")(served, repo, found, body)

    def told(self, status: int, said: Any, **headers: str) -> None:
        self.sent(status, json.dumps(said).encode(), {"Content_Type": "application/json", **headers})

    def sent(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        """An answer with its length; to HEAD without its body."""
        self.send_response(status)
        for name, value in {**headers, "Content_Length": str(len(data))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def hub_create(self, served: ServedHub, repo: Any, found: dict[str, str], body: bytes) -> None:
        asked = json.loads(body)
        name = f"{asked['organization']}/{asked['name']}" if asked.get("organization") else asked["name"]
        is_model = asked.get("type", "model") == "model"
        url = f"{served.url}/{name}" if is_model else f"{served.url}/datasets/{name}"
        key = f"models/{name}" if is_model else name
        if key in served.repos:
            return self.told(409, {"error": "You already created this repo", "url": url})
        private = asked.get("private") or asked.get("visibility") == "private"
        served.repos[key] = Repo(bool(private))
        return self.told(200, {"url": url, "name": name, "id": name})

    def hub_card(self, served: ServedHub, repo: Any, found: dict[str, str], body: bytes) -> None:
        """The Hub looks at the YAML of a card before a commit."""
        head = yaml.safe_load(json.loads(body)["content"].split("---\n")[1])
        wrong = [] if isinstance(head.get("license"), str) else [{"message": "license must be a string"}]
        self.told(400 if wrong else 200, {"errors": wrong, "warnings": []})

    def hub_settings(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        repo.gated = json.loads(body).get("gated", repo.gated)
        self.told(200, {"gated": repo.gated})

    def hub_preupload(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        self.told(200, {"files": [
            {"path": one["path"], "shouldIgnore": False,
             "uploadMode": "regular" if one["path"].endswith(INLINE) else "lfs"}
            for one in json.loads(body)["files"]
        ]})  # fmt: skip

    def hub_batch(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        self.told(200, {"transfer": "basic", "objects": [
            {"oid": one["oid"], "size": one["size"],
             "actions": {"upload": {"href": f"{served.url}/lfs/{one['oid']}", "header": {}}}}
            for one in json.loads(body)["objects"]
        ]})  # fmt: skip

    def hub_store(self, served: ServedHub, repo: Any, found: dict[str, str], body: bytes) -> None:
        if hashlib.sha256(body).hexdigest() != found["oid"]:
            return self.told(400, {"error": "checksum"})
        served.stored[found["oid"]] = body
        return self.told(200, {})

    def hub_commit(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        files = dict(repo.files)
        for line in body.splitlines():
            entry = json.loads(line)
            value = entry["value"]
            if entry["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif entry["key"] == "lfsFile":
                files[value["path"]] = served.stored[value["oid"]]
            elif entry["key"] == "deletedFile":
                del files[value["path"]]
        repo.files, repo.sha = files, hashlib.sha1(body, usedforsecurity=False).hexdigest()
        self.told(200, {"success": True, "commitOid": repo.sha,
                        "commitUrl": f"{served.url}/{found['repo']}/commit/{repo.sha}"})  # fmt: skip

    def hub_info(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        self.told(200, {
            "id": found["repo"], "sha": repo.sha, "private": repo.private, "gated": repo.gated, "tags": [],
            "siblings": [{"rfilename": path} for path in repo.files],
        })  # fmt: skip

    def hub_tree(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        entries: list[dict[str, Any]] = []
        for path, data in repo.files.items():
            digest = hashlib.sha256(data).hexdigest()
            large = {} if path.endswith(INLINE) else {"lfs": {"oid": digest, "size": len(data), "pointerSize": 134}}
            entries.append({"type": "file", "path": path, "size": len(data), "oid": digest[:40], **large})
        folders = {path.rpartition("/")[0] for path in repo.files if "/" in path}
        entries += [{"type": "directory", "path": path, "oid": "0" * 40, "size": 0} for path in sorted(folders)]
        self.told(200, entries)

    def hub_resolve(self, served: ServedHub, repo: Repo, found: dict[str, str], body: bytes) -> None:
        data = repo.files.get(found["path"])
        if data is None:
            return self.told(404, {"error": "Entry not found"}, X_Error_Code="EntryNotFound")
        digest = hashlib.sha256(data).hexdigest()
        headers = {"ETag": f'"{digest[:40]}"', "X_Repo_Commit": repo.sha, "Content_Type": "application/octet-stream"}
        if not found["path"].endswith(INLINE):
            headers |= {"X_Linked_ETag": f'"{digest}"', "X_Linked_Size": str(len(data))}
        return self.sent(200, data, headers)


def hub() -> AbstractContextManager[ServedHub]:
    return serving(HubHandler, ServedHub)
