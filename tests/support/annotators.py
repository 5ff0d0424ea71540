"""People who work over HTTP while processes are killed with -9, and what kills them."""

import http.client
import json
import os
import signal
import threading
import urllib.error
import urllib.request
from random import Random
from uuid import uuid4


class Annotator:
    """One person with a token, who asks again, with the same key, until an answer is acknowledged."""

    def __init__(self, url: str, secret: str, name: str, stop: threading.Event) -> None:
        self.url, self.secret, self.name, self.stop = url, secret, name, stop
        self.acknowledged: dict[str, str] = {}
        self.reason = ""

    def work(self) -> None:
        claim = self.ask("next/", {})
        while not self.stop.is_set():
            if claim["work"] is None:
                self.reason = claim["reason"]
                if self.reason in {"finished", "yours_done"}:
                    return
                claim = self.ask("next/", {})
                continue
            claim = self._submit(claim["work"])

    def _submit(self, work: dict) -> dict:
        text = f"{self.name} wrote item {work['number']}."
        said = self.hand_in(work, {"text": text})
        assert said["late"] is False
        self.acknowledged[said["answer"]] = text
        return said["next"]

    def hand_in(self, work: dict, content: dict) -> dict:
        key = str(uuid4())
        return self.ask("answers/", {"slot": work["slot"], "lease": work["lease"], "key": key, "content": content})

    def ask(self, act: str, body: dict) -> dict:
        headers = {"Authorization": f"Token {self.secret}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + act, json.dumps(body).encode(), headers)
        while True:
            try:
                with urllib.request.urlopen(request, timeout=20) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    raise AssertionError(error.read()) from error
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                pass  # the server was killed under us, before its answer or in the middle of it: ask again
            self.stop.wait(0.05)


def kill_some(web_server, celery_workers, random: Random, step: int) -> None:
    """One of the web server's workers; now and then all of the web server, or the Celery worker."""
    if step % 3 == 2:
        web_server.kill("web")
        web_server.ensure_up()
    elif step % 3 == 1:
        celery_workers.kill("worker")
        celery_workers.children["worker"].start()
    else:
        pids = web_server.pids("web")
        if pids:
            os.kill(random.choice(pids), signal.SIGKILL)


def reached(people, enough: int, running) -> bool:
    """Whether so many answers are acknowledged, or somebody gave up."""
    return sum(len(one.acknowledged) for one in people.values()) >= enough or any(one.done() for one in running)


def failed(running) -> bool:
    """Whether somebody's thread ended in an error; what they held would keep the others waiting."""
    return any(one.done() and one.exception() for one in running)
