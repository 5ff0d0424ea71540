"""How annotators speak to the web server: as a browser does, with pages and forms, or as a program, with JSON."""

import itertools
import json
import re
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)">')
SCALE = re.compile(rb'<input type="radio" name="(rating-[^"]+)" value="([^"]+)"')
COOKIE = re.compile(rb"(?i)\r\nset-cookie: *(csrftoken=[^;]+)")


class NoItemError(Exception):
    """The page or answer holds no item to rate."""


class Browser:
    """The work page and its form, posted as htmx does; the answer is the next item, so the page is opened seldom.

    `secret` is the value of a session cookie.
    """

    page_every = 20  # items between two openings of the whole page, as by somebody who comes back

    def __init__(self, host: str, path: str, secret: str, random: Random) -> None:
        self._host, self._path, self._session, self._random = host, path, secret, random
        self._csrf = ""
        self._frames: dict[str, list[str]] = {}  # as `js/annotation/frames.js` keeps them

    def asking(self) -> bytes:
        """The request for the page."""
        return self._request("GET", "")

    def asked(self, head: bytes) -> None:
        """Keep the cookie that came with the page."""
        self._csrf = csrf_cookie(head) or self._csrf

    def submitting(self, page: bytes) -> bytes:
        """The request that answers the page's item."""
        form = fill_in(self._put_together(page), self._random)
        htmx = ["HX-Request: true", "HX-Target: work", f"Origin: http://{self._host}"]
        htmx.append(f"X-Frames: {' '.join(self._frames) or 'none'}")
        kind = "Content-Type: application/x-www-form-urlencoded"
        return self._request("POST", "submit/", [*htmx, f"X-CSRFToken: {self._csrf.partition('=')[2]}", kind], form)

    def _put_together(self, page: bytes) -> bytes:
        """The HTML of a page or an item; commits before X-Frames send nothing else."""
        if not page.startswith(b"{"):
            return page
        told = json.loads(page)
        self._frames |= told["frames"]
        return self._filled(told["item"]).encode()

    def _filled(self, part: str | dict[str, Any]) -> str:
        if isinstance(part, str):
            return part
        values = [*map(self._filled, part["values"]), ""]
        return "".join(itertools.chain(*zip(self._frames[part["frame"]], values, strict=True)))

    def _request(self, method: str, act: str, lines: list[str] | None = None, body: bytes = b"") -> bytes:
        cookies = f"sessionid={self._session}" + (f"; {self._csrf}" if self._csrf else "")
        common = [
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0",
            "Accept: text/html, */*",
            "Accept-Language: en-US,en;q=0.5",
            "Accept-Encoding: gzip, deflate",
            f"Cookie: {cookies}",
        ]
        return request(method, self._host, self._path + act, [*common, *(lines or [])], body)


class Program:
    """The API; asking and submitting are two requests. `secret` is a token."""

    page_every = 1

    def __init__(self, host: str, path: str, secret: str, random: Random) -> None:
        self._host, self._path, self._random = host, path, random
        self._lines = [f"Authorization: Token {secret}", "Content-Type: application/json"]

    def asking(self) -> bytes:
        """The request for an item."""
        return request("POST", self._host, self._path + "next/", self._lines, b"{}")

    def asked(self, head: bytes) -> None:
        """Nothing is kept."""

    def submitting(self, body: bytes) -> bytes:
        """The request that answers the item."""
        return request("POST", self._host, self._path + "answers/", self._lines, rate(body, self._random))


WAYS: dict[str, type[Browser] | type[Program]] = {"browser": Browser, "program": Program}


def request(method: str, host: str, path: str, lines: list[str], body: bytes) -> bytes:
    """A whole HTTP request."""
    length = [f"Content-Length: {len(body)}"] if method == "POST" else []
    head = "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, *length])
    return head.encode() + b"\r\n\r\n" + body


def fill_in(page: bytes, random: Random) -> bytes:
    """The page's form with a level drawn for each scale, as a browser posts it."""
    fields = {name.decode(): value.decode() for name, value in HIDDEN.findall(page)}
    levels: dict[str, list[str]] = {}
    for name, value in SCALE.findall(page):
        levels.setdefault(name.decode(), []).append(value.decode())
    if not levels:
        raise NoItemError(page[:2000].decode())
    drawn = {name: random.choice(values) for name, values in levels.items()}
    return urlencode({**fields, "seconds": "1.0", **drawn}).encode()


def rate(answer: bytes, random: Random) -> bytes:
    """A level drawn for each criterion of the item's one output, as JSON."""
    work = json.loads(answer)["work"]
    if work is None:
        raise NoItemError(answer.decode())
    criteria = [one for group in work["item"]["groups"] for one in group["criteria"]]
    drawn = {criterion["name"]: random.choice(criterion["levels"])["value"] for criterion in criteria}
    key = UUID(int=random.getrandbits(128), version=4)
    said = {"slot": work["slot"], "lease": work["lease"], "key": str(key), "content": {"ratings": [drawn]}}
    return json.dumps({**said, "seconds": 1.0}).encode()


def csrf_cookie(head: bytes) -> str:
    """The cookie against forged requests that a response set, as name=value; empty where it set none."""
    found = COOKIE.search(head)
    return found[1].decode() if found else ""
