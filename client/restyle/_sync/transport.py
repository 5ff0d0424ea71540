# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""Sends calls, and again where the network or the site failed."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any

import httpx

from restyle.errors import NoAnswer
from restyle.exchange import (
    AGAIN,
    PAGE,
    SPOKEN,
    Call,
    Patience,
    call_of,
    content_of,
    error_of,
    form_of,
)
from restyle.waiting import sleep


class Transport:
    """One site, asked with one token."""

    def __init__(self, site: str, token: str, patience: Patience, transport: httpx.BaseTransport | None) -> None:
        self.site, self.patience = site, patience
        self._is_known = False
        self._http = httpx.Client(
            base_url=f"{site}/api/", timeout=patience.timeout(), transport=transport,
            headers={"Authorization": f"Token {token}", "Restyle-Version": SPOKEN, "Accept-Language": "en"},
        )  # fmt: skip

    def close(self) -> None:
        self._http.close()

    def ask(self, call: Call) -> httpx.Response:
        """The answer to a call, whole; the site's refusal is an error."""
        with ExitStack() as opened:
            answer = self._tried(call, opened, whole=True)
            answer.close()
            return answer

    @contextmanager
    def streamed(self, call: Call) -> Iterator[httpx.Response]:
        """The answer to a call, whose body has not been read yet; the site's refusal is an error."""
        with ExitStack() as opened:
            answer = self._tried(call, opened, whole=False)
            try:
                yield answer
            finally:
                answer.close()

    def _tried(self, call: Call, opened: ExitStack, *, whole: bool) -> httpx.Response:
        """The answer to the first try that the network and the site let through, or to the last one."""
        for tried in count(1):
            last = tried >= self._tries()
            answer: httpx.Response | None = None
            try:
                answer = self._http.send(self._request(call, opened), stream=True)
                self._is_known = True
                is_answered = answer.is_success and "X-Restyle" in answer.headers
                if whole or not is_answered:
                    answer.read()
                if is_answered:
                    return answer
                if last or answer.status_code not in AGAIN:
                    answer.close()
                    raise error_of(answer, self.site) or self._lost(None)
            except httpx.TransportError as error:
                if last or isinstance(error, httpx.UnsupportedProtocol | httpx.ProxyError):
                    raise self._lost(error, tried) from error
            sleep(self.patience.wait_before(tried, answer))
        raise AssertionError("the last try raises")

    def _tries(self) -> int:
        return self.patience.tries if self._is_known else min(self.patience.tries, self.patience.tries_at_first)

    def _request(self, call: Call, opened: ExitStack) -> httpx.Request:
        given: dict[str, Any] = {"params": call.query, "headers": call.headers()}
        if call.files:
            files = [(name, upload.opened()) for name, upload in call.files]
            for _, (_, content) in files:
                if not isinstance(content, bytes):
                    opened.callback(content.close)
            given |= {"data": form_of(call.body), "files": files}
        elif call.body is not None:
            given["json"] = call.body
        return self._http.build_request(call.method, call.path, **given)

    def _lost(self, error: Exception | None, tried: int = 1) -> NoAnswer:
        if isinstance(error, httpx.ConnectTimeout | httpx.ConnectError):
            return NoAnswer(f"{self.site} cannot be reached ({error or 'no connection'}), tried {tried} times.")
        if isinstance(error, httpx.TimeoutException):
            return NoAnswer(f"{self.site} did not answer within {self.patience.answer:g} seconds.")
        return NoAnswer(f"The connection to {self.site} was lost before its answer was whole ({error}).")

    def json(self, method: str, path: str, **given: Any) -> Any:
        """The content of the answer to a call."""
        return content_of(self.ask(call_of(method, path, **given)))

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """All rows of a list, page by page; of a list without pages too."""
        page = 1
        while True:
            found = self.json("GET", path, query={**query, "page": page, "page_size": PAGE})
            for row in found["results"]:
                yield row
            if not found["next"]:
                return
            page += 1
