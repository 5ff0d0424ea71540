"""A language model of the outside world: an HTTP server on this machine that answers chat completions.

    with served() as server:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"lab={server.url} models=tiny")

Processes beside the tests know the endpoint `near` (of the lab's own) and `far`, both at a port that is this test run's
own; `with shared()` is the server there.

What it answers follows from the prompt alone. `server.requests` has what came in, and `server.behave` (of a request,
to a status, headers and a body) takes the place of its answers, for servers that misbehave.
"""

import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Raw = Callable[["Handler"], None]


@dataclass
class Served:
    """A server that runs, and what it was asked."""

    port: int
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    behave: Callable[[dict[str, Any]], Any] | None = None
    name: str = ""
    gate: threading.Event | None = None  # answers wait for it
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    looks: int = 0  # at a batch that are answered before it is done

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def prompts(self) -> list[str]:
        """All words of each request."""
        return ["\n".join(message["content"] for message in one["messages"]) for one in self.requests]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        served: Served = self.server.served  # type: ignore[attr-defined]
        parts = self.path.partition("?")[0].removeprefix("/v1/").split("/")
        if parts[0] == "files":
            self.reply(200, {}, served.files[parts[1]])
        elif len(parts) == 1:
            self.tell({"object": "list", "data": list(served.batches.values()), "has_more": False})
        else:
            batch = served.batches[parts[1]]
            batch["looked"] += 1
            if batch["looked"] > served.looks and batch["status"] == "in_progress":
                batch |= {"status": "completed", "output_file_id": f"out-{batch['id']}"}
                lines = served.files[batch["input_file_id"]].splitlines()
                served.files[batch["output_file_id"]] = b"\n".join(self.worked(json.loads(line)) for line in lines)
            self.tell(batch)

    def worked(self, line: dict[str, Any]) -> bytes:
        """The answer to a line of a batch."""
        served: Served = self.server.served  # type: ignore[attr-defined]
        served.requests.append(line["body"])
        found = served.behave(line["body"]) if served.behave else None
        status, _, body = found or (200, {}, completion(line["body"], served.name))
        response = {"status_code": status, "body": json.loads(body)}
        return json.dumps({"id": "x", "custom_id": line["custom_id"], "response": response, "error": None}).encode()

    def tell(self, what: dict[str, Any]) -> None:
        self.reply(200, {}, json.dumps(what).encode())

    def began(self, body: bytes) -> None:
        """A file that is uploaded (multipart), or a batch that begins."""
        served: Served = self.server.served  # type: ignore[attr-defined]
        if self.path == "/v1/files":
            part = body.split(b'filename="')[1].partition(b"\r\n\r\n")[2]
            name = f"file-{len(served.files)}"
            served.files[name] = part[: part.rindex(b"\r\n--")].partition(b"\r\n--")[0]
            self.tell({"id": name, "object": "file", "bytes": 1, "created_at": 1, "filename": "a", "purpose": "batch"})
            return
        name = f"batch-{len(served.batches)}"
        served.batches[name] = {
            "id": name, "object": "batch", "endpoint": "/v1/chat/completions", "status": "in_progress", "created_at": 1,
            "completion_window": "24h", "looked": 0, **json.loads(body),
        }  # fmt: skip
        self.tell(served.batches[name])

    def do_POST(self) -> None:
        served: Served = self.server.served  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["content-length"]))
        if not self.path.endswith("/chat/completions"):
            self.began(body)
            return
        request = json.loads(body)
        served.requests.append(request)
        served.headers.append({name.lower(): value for name, value in self.headers.items()})
        if served.gate is not None:
            served.gate.wait(60)
        found = served.behave(request) if served.behave else None
        if callable(found):
            found(self)
            return
        status, headers, body = found or (200, {}, completion(request, served.name))
        self.reply(status, headers, body)

    def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        pass


def completion(request: dict[str, Any], name: str = "", **changes: Any) -> bytes:
    """The body of an answer: the last line's text in capitals, with a mark of the whole prompt."""
    text = "\n".join(message["content"] for message in request["messages"])
    mark = hashlib.sha256(text.encode() + str(request.get("seed")).encode()).hexdigest()[:6]
    asked = said_last(text)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": f"{asked.upper()} {mark}"},
        "finish_reason": "stop",
    }
    usage = {"prompt_tokens": len(text.split()), "completion_tokens": len(asked.split()) + 1}
    body = {
        "id": "x", "object": "chat.completion", "created": 1, "model": name or request["model"], "choices": [choice],
        "usage": usage, **changes,
    }  # fmt: skip
    return json.dumps(body).encode()


def said_last(prompt: str) -> str:
    """The text that the default message asks to rewrite."""
    return prompt.rpartition("Text (")[2].partition("): ")[2].rpartition("\nRewritten (")[0]


@cache
def _reserved() -> socket.socket:
    """A port that is bound as long as this process lives."""
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    return bound


def shared_environment() -> dict[str, str]:
    """The settings of a site whose endpoints are the shared server."""
    url = f"http://127.0.0.1:{_reserved().getsockname()[1]}/v1"
    return {
        "RESTYLE_LANGUAGE_MODELS": f"near={url} models=tiny local=1; far={url} models=tiny",
        "RESTYLE_LANGUAGE_MODEL_KEYS": "far=sk-of-the-tests",
    }


def shared(**given: Any) -> AbstractContextManager[Served]:
    """The server that processes beside the tests know."""
    return served(_reserved().dup(), **given)


@contextmanager
def served(bound: socket.socket | None = None, **given: Any) -> Iterator[Served]:
    """A server that ends with the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=bound is None)
    if bound is not None:
        server.socket.close()
        server.socket, server.server_address = bound, bound.getsockname()
        server.server_activate()
    server.daemon_threads = True
    found = Served(server.server_address[1], **given)
    server.served = found  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        if found.gate is not None:
            found.gate.set()
        server.shutdown()
        server.server_close()
        thread.join()
