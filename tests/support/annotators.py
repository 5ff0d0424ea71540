"""People who work over HTTP while processes are killed with -9, and what kills them."""

import http.client
import json
import math
import os
import signal
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from http.cookiejar import CookieJar
from random import Random
from uuid import uuid4

LAST_TRIES = 60  # seconds behind the end of the work, in which what was begun is still tried


class Annotator:
    """One person with a token, who asks again, with the same key, until an answer is acknowledged."""

    again = frozenset({503})  # what is asked again; a proxy says 502 of a server that died with the request

    def __init__(self, url: str, secret: str, name: str, stop: threading.Event) -> None:
        self.longest = 0.0  # seconds that an answer was waited for
        self.url, self.name, self.stop = url, name, stop
        self.acknowledged: dict[str, str] = {}
        self.reason = ""
        self.headers = {"Authorization": f"Token {secret}"}
        self.statuses: Counter[int] = Counter()
        self.open = urllib.request.urlopen

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
        headers = {**self.headers, "Content-Type": "application/json"}
        return json.loads(self.fetch(urllib.request.Request(self.url + act, json.dumps(body).encode(), headers)))

    def fetch(self, request: urllib.request.Request) -> bytes:
        """What it is answered with 200, however often it has to be asked. An error of the program is no answer."""
        give_up, began = math.inf, time.monotonic()
        while time.monotonic() < give_up:
            try:
                with self.open(request, timeout=20) as response:
                    said = response.read()
                    self.statuses[response.status] += 1
                    self.longest = max(self.longest, time.monotonic() - began)
                    return said
            except urllib.error.HTTPError as error:
                self.statuses[error.code] += 1
                if error.code not in self.again:
                    raise AssertionError(error.read(), error.code, request.full_url) from error
            except (OSError, http.client.HTTPException):
                pass  # the server was killed under us, before its answer or in the middle of it: ask again
            if self.stop.is_set():
                give_up = min(give_up, time.monotonic() + LAST_TRIES)
            time.sleep(0.05)  # nothing says when a server that was killed hears again
        raise AssertionError(b"Nobody answers any more", 0, request.full_url)


class SignedIn(Annotator):
    """One person who signs in with a password, as in a browser, and reads the first page before each answer."""

    def __init__(self, site: str, url: str, email: str, password: str, name: str, stop: threading.Event) -> None:
        super().__init__(url, "", name, stop)
        self.site, self.cookies = site, CookieJar()
        self.open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies)).open
        self.fetch(urllib.request.Request(f"{site}/accounts/login/"))
        form = {"login": email, "password": password, "csrfmiddlewaretoken": self._csrf()}
        self.fetch(urllib.request.Request(f"{site}/accounts/login/", urllib.parse.urlencode(form).encode()))
        self.headers = {"X-CSRFToken": self._csrf()}

    def hand_in(self, work: dict, content: dict) -> dict:
        self.fetch(urllib.request.Request(f"{self.site}/"))
        return super().hand_in(work, content)

    def _csrf(self) -> str:
        return next(cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken")


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
    return sum(len(person.acknowledged) for person in people.values()) >= enough or any(one.done() for one in running)


def failed(running) -> bool:
    """Whether somebody's thread ended in an error; what they held would keep the others waiting."""
    return any(one.done() and one.exception() for one in running)
