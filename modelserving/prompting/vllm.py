"""A folder's model served by vLLM (Kwon et al. 2023, https://arxiv.org/abs/2309.06180), where that is installed.

It is a process of this one's own: started at the first prompt, spoken to by OpenAI's completions on this machine alone,
ended with this process. Prompts go as ids, so that no text of a study speaks in another role.
"""

import ctypes
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from modelserving.prompting.endpoints import Endpoint
from modelserving.prompting.folder import FolderService
from modelserving.prompting.options import PromptOptions
from modelserving.run_context import Answer, RunContext

PROGRAM, WHERE = "vllm", "engine"
READY = "Application startup complete"  # of uvicorn, which vLLM serves with: it listens from here on
LOOK_SECONDS = 0.5  # between two looks at whether to stop
LAST_LINES, LONGEST_LINE = 5, 300
END_SECONDS = 10
PR_SET_PDEATHSIG = 1  # Linux, <sys/prctl.h>


def program() -> str:
    """The path of vLLM's command, beside Python's own or on the PATH; a UserError where it is not installed."""
    beside = Path(sys.executable).parent
    found = shutil.which(PROGRAM, path=os.pathsep.join([str(beside), os.environ.get("PATH", "")]))
    if found is None:
        raise UserError("vLLM is not installed on this machine (pip install vllm); the engine transformers writes "
                        "without it.", where=WHERE)  # fmt: skip
    return found


@cache
def version(path: str) -> str:
    """The version that the program says; "" where it says none."""
    got = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603 (as below)
    said = got.stdout.split()
    return said[-1][:40] if said else ""


class Server:
    """vLLM with one folder's model. `endpoint` is asked with a key that nobody else on this machine knows."""

    def __init__(self, folder: Path, name: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        key = secrets.token_urlsafe(24)
        self.endpoint = Endpoint("vLLM", f"http://127.0.0.1:{port}/v1", (name,), True, key=key)
        self._command = [
            program(), "serve", str(folder), "--served-model-name", name, "--host", "127.0.0.1", "--port", str(port),
            "--uvicorn-log-level", "info",
        ]  # fmt: skip
        self._environment = {**os.environ, "VLLM_API_KEY": key, "HF_HUB_OFFLINE": "1"}
        self._told: deque[str] = deque(maxlen=LAST_LINES)
        self._began = threading.Event()
        self.process: subprocess.Popen[str] | None = None
        # The thread that starts it lives as long as it does: Linux ends a child with the thread that it is of.
        threading.Thread(target=self._run, daemon=True, name="vllm").start()

    def _run(self) -> None:
        try:
            self.process = subprocess.Popen(  # noqa: S603 (a program that the site's operator installed)
                self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                env=self._environment, preexec_fn=_end_with_me,
            )  # fmt: skip
            assert self.process.stdout is not None
            for line in self.process.stdout:
                if line.strip():
                    self._told.append(line.strip()[:LONGEST_LINE])
                if READY in line:
                    self._began.set()
            self.process.wait()
        finally:
            self._began.set()

    def wait(self, context: RunContext) -> None:
        """Wait until it listens, asking the context whether to; a UserError where it ended."""
        while not self._began.wait(LOOK_SECONDS):
            context.step()
        if self.process is None or self.process.poll() is not None:
            raise UserError("vLLM ended: {said}", said=" ".join(self._told) or "it said nothing.", where=WHERE)

    def end(self) -> None:
        """End it, and with it the processes that it has started."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()


def _end_with_me() -> None:
    """Have the child, in which it runs, asked to stop when this process is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class VllmService(FolderService):
    """Asks vLLM, many prompts in one request. A UserError where it is not installed."""

    at_once = 256

    def __init__(self, options: PromptOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._engine = f"vllm-{version(program())}"

    def signed(self) -> str:
        return f"{super().signed()}|engine:{self._engine}"

    @property
    def _computed_by(self) -> list[str]:
        return [self._engine]

    @cached_property
    def server(self) -> Server:
        made = Server(self._folder.path, self._folder.path.name)
        weakref.finalize(self, made.end)  # with the model, or with this process
        return made

    def _written(self, rows: Sequence[list[int]], place: int, context: RunContext) -> Iterator[Answer]:
        import httpx2

        from modelserving.prompting.bounded_client import MOST_OF_A_FILE, BoundedClient

        self.server.wait(context)
        chosen, connection = self.options, BoundedClient(self.server.endpoint, self.options.timeout * len(rows))
        connection.transport.most = MOST_OF_A_FILE
        request = {
            "model": self._folder.path.name, "prompt": rows, "max_tokens": self._longest,
            "temperature": chosen.temperature, "top_p": chosen.top_p, "seed": self.seed + place,
            "stop_token_ids": [self._chat.end],
        }  # fmt: skip
        with ThreadPoolExecutor(1) as one:
            asked = one.submit(connection.http.post, f"{self.server.endpoint.url}/completions", json=request)
            try:
                _until(asked, context)
                yield from self._answers(asked.result(), rows)
            except (OSError, httpx2.HTTPError) as error:
                self.server.wait(context)  # raises where it has ended
                raise UserError("vLLM broke off its answer: {error}.", error=str(error)[:200], where=WHERE) from None
            finally:
                connection.abort()

    def _answers(self, got: Any, rows: Sequence[list[int]]) -> Iterator[Answer]:
        try:
            if got.status_code != 200:
                raise UserError("vLLM refuses the prompts: {said}", said=got.text[:LONGEST_LINE], where=WHERE)
            choices = sorted(json.loads(got.content)["choices"], key=lambda choice: int(choice["index"]))
            told = [(str(choice["text"]), str(choice["finish_reason"])) for choice in choices]
        except (ValueError, KeyError, TypeError):
            raise UserError("The answer of vLLM is not a completion.", where=WHERE) from None
        if len(told) != len(rows):
            raise UserError("The answer of vLLM is not a completion.", where=WHERE)
        for (text, finish), row in zip(told, rows, strict=True):
            said = " ".join(text.split())
            yield Answer(said, self._folder.digest, finish, len(row), len(self._chat.answer(said)))


def _until(asked: "Future[Any]", context: RunContext) -> None:
    """Wait for the answer, asking the context whether to."""
    while not wait([asked], LOOK_SECONDS).done:
        context.step()
