"""Somebody who opens every page: whatever the pages lead to, of each kind a few."""

import html
import re
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urldefrag, urljoin

from foundation.errors import UserError

LINK = re.compile(r'(?:href|src|hx-get)="([^"]+)"')
NUMBER = re.compile(r"\d+|=[^&]*")
OF_A_KIND = 12
LEFT_OUT = ("/static/", "//", "/accounts/logout")


def walk(host: str, port: int, session: str) -> int:
    """How many pages and files the person of a session opened. UserError where one was an error of the program.

    Each on a connection of its own, so that all web workers come to have pages of all kinds, as in a longer life.
    """
    waiting, queued, kinds, opened = ["/"], {"/"}, dict[str, int](), 0
    while waiting:
        path = waiting.pop(0)
        answer, body = _open(host, port, path, session)
        opened += 1
        if answer.status >= 500:
            raise UserError("The page answered {status}.", status=answer.status, where=path)
        for found in _led_to(path, answer, body):
            kind = NUMBER.sub("", found)
            if found not in queued and kinds.get(kind, 0) < OF_A_KIND:
                kinds[kind] = kinds.get(kind, 0) + 1
                queued.add(found)
                waiting.append(found)
    return opened


def _open(host: str, port: int, path: str, session: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(host, port, timeout=120)
    try:
        connection.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def _led_to(path: str, answer: HTTPResponse, body: bytes) -> list[str]:
    """Where the page leads on this site, and to where it was moved."""
    links = [answer.headers["Location"]] if answer.headers["Location"] else []
    if answer.headers.get_content_type() == "text/html":
        links += LINK.findall(body.decode())
    found = [urldefrag(urljoin(path, html.unescape(link)))[0] for link in links]
    return [one for one in found if one.startswith("/") and not one.startswith(LEFT_OUT)]
