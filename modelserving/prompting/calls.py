"""Calls side by side, each in a thread: tried again where that may help, ended when somebody says stop.

The thread that asks for them does all else: it checks whether it may send, keeps the answers, and hears a cancellation
within a fraction of a second, however long an endpoint hangs.
"""

import email.utils
import heapq
import json
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from foundation.errors import UserError
from modelserving.run_context import FILTERED, TOO_LONG, Answer, Refusal

# The fault of a call, in one sentence, and whether it may pass. Neither keys nor addresses are in it.

LONGEST_REASON = 200  # characters of a server's own words
LONGEST_WORDS = 4_000  # characters of them that are searched
SHORTEST_SECRET = 5  # characters of a key that may not stand in a message
PERMANENT = {
    400: "The endpoint {name} refused the request",
    401: "The endpoint {name} does not accept its key; whoever runs the site sets it",
    402: "The endpoint {name} asks to be paid first",
    403: "The endpoint {name} does not allow this to its key",
    404: "The endpoint {name} has no such model or no such address",
    422: "The endpoint {name} refused the request",
}
PASSING = (408, 409, 425, 429)
UNTOUCHED = (409, 425, 503, 529)  # those of them after which nothing was computed
REASONED = (400, 404, 413, 422)
# The servers' names for a prompt that is too long, or that their filter rejects: codes and types of OpenAI, Azure,
# llama.cpp, DashScope; vLLM and text-generation-inference have only words.
OF_LENGTH = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
OF_FILTER = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed"}
)
WORDS_OF_LENGTH = re.compile(
    r"maximum context length|context length is only|context (?:size|window|length)|maximum model length"
    r"|prompt is too long|prompt \(.{0,40}\) is too long|inputs.{0,60} tokens .{0,60}must be",
    re.IGNORECASE,
)
# The fields of a request that say how an answer is drawn or formed: those that a model does not take can be left out.
MAY_BE_LEFT_OUT = ("temperature", "top_p", "seed", "reasoning_effort", "response_format")
NOT_TAKEN = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|not allowed|unavailable|unexpected|deprecated"
    r"|cannot find|can't find|extra_forbidden|not available|must be (?:omitted|1)\b|only the default",
    re.IGNORECASE,
)
SAID = {
    TOO_LONG: "The prompt is too long for the endpoint {name}",
    FILTERED: "The filter of the endpoint {name} refused the prompt",
}


@dataclass
class Failure(Exception):
    """A call that failed. `passes`: it may be tried again, after `wait` seconds if the server said so.

    `free`: it certainly costs nothing. `alone` (TOO_LONG or FILTERED): it concerns this prompt; others may succeed.
    `fields` are those of the request that the server does not take, and that can be left out.
    """

    sentence: str
    passes: bool = False
    wait: float | None = None
    free: bool = False
    alone: str = ""
    fields: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.sentence


def of_status(name: str, key: str, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """The failure for an answer of another status than 200."""
    error = _error_in(body)
    if alone := _alone(status, error):
        return Failure(_with_reason(SAID[alone].format(name=name), error, key), free=True, alone=alone)
    if status == 429:
        return Failure(f"The endpoint {name} limits how much it is asked.", True, _wait(headers), free=True)
    if status in PASSING or status >= 500:
        return Failure(
            f"The endpoint {name} is in trouble: status {status}.", True, _wait(headers), status in UNTOUCHED
        )
    if 300 <= status < 400:
        sentence = f"The endpoint {name} sends us elsewhere, where we do not go: status {status}."
        return Failure(sentence, free=True)
    said = PERMANENT.get(status, f"The endpoint {name} answers with status {status}").format(name=name)
    fields = _not_taken(error, body) if status in (400, 422) else frozenset()
    return Failure(_with_reason(said, error if status in REASONED else "", key), free=True, fields=fields)


def _not_taken(error: Any, body: bytes) -> frozenset[str]:
    """The fields that the error names as ones that the server does not take, of those that can be left out.

    OpenAI names it in `param`, servers on pydantic in `loc`, the others in words.
    """
    words = body[:LONGEST_WORDS].decode("utf-8", "replace")
    if not NOT_TAKEN.search(words):
        return frozenset()
    named = str(error.get("param")) if isinstance(error, dict) else ""
    if named in MAY_BE_LEFT_OUT:
        return frozenset([named])
    return frozenset(MAY_BE_LEFT_OUT).intersection(re.findall(r"\w+", words))


def _alone(status: int, error: Any) -> str:
    """TOO_LONG or FILTERED where this prompt alone is refused, else ""."""
    named = error if isinstance(error, dict) else {"message": error}
    inner = named.get("innererror")
    codes = {str(named.get("code")).lower(), str(named.get("type")).lower()}
    codes.add(str(inner.get("code")).lower() if isinstance(inner, dict) else "")
    if codes & OF_LENGTH or status == 413:
        return TOO_LONG
    if status not in (400, 422):
        return ""
    if codes & OF_FILTER:
        return FILTERED
    words = named.get("message")
    return TOO_LONG if isinstance(words, str) and WORDS_OF_LENGTH.search(words[:LONGEST_WORDS]) else ""


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds of Retry-After, which is a number or a date."""
    given = headers.get("retry-after", "").strip()
    if given.replace(".", "", 1).isdecimal() and len(given) < 12:
        return float(given)
    date = email.utils.parsedate_tz(given)
    return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None


def _error_in(body: bytes) -> Any:
    """The error in the body: an object, a text, or "" where it has none."""
    try:
        said: Any = json.loads(body)
        error = said.get("error", said)
    except (ValueError, AttributeError, RecursionError):
        return ""
    if isinstance(error, str) and isinstance(said, dict):
        return {**said, "message": error}
    return error


def _with_reason(said: str, error: Any, key: str) -> str:
    """The sentence with the server's own words, unless these contain a part of the key."""
    words = error.get("message", "") if isinstance(error, dict) else error
    if not isinstance(words, str) or _shows(words, key):
        return f"{said}."
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    reason = line[:LONGEST_REASON].rstrip(". ")
    return f"{said}: {reason}." if reason else f"{said}."


def _shows(words: str, key: str) -> bool:
    pieces = (key[at : at + SHORTEST_SECRET] for at in range(max(1, len(key) - SHORTEST_SECRET + 1)))
    return bool(key) and any(piece in words for piece in pieces)


TICK = 0.1  # seconds between two looks at whether to stop
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0  # seconds before another try, twice as long each time
LONGEST_RETRY_AFTER = 600.0  # seconds that a server may ask us to wait


class Asker(Protocol):
    """Makes one call at a time; `abort` ends it."""

    def ask(self, request: Any) -> Answer: ...
    def abort(self) -> None: ...


class Gate(Protocol):
    """Is asked before a call is sent, and told of each that got no answer.

    `open` gets the call's number and how many are under way; it gives False where the call is to wait for one of these.
    A UserError ends all calls. `answered` keeps the answer to a call, whose final form it gives; where it raises a
    UserError, no further call is sent. `close` is told whether a call without an answer certainly costs nothing.
    `adapt` is told of fields that the server does not take; it gives whether the call is to be sent again, without
    them. Calls opened and answers kept within `together` are stored at its end, before any of these calls is sent.
    """

    def together(self) -> AbstractContextManager[None]: ...
    def open(self, number: int, under_way: int) -> bool: ...
    def answered(self, number: int, answer: Answer) -> Answer: ...
    def close(self, number: int, free: bool) -> None: ...
    def adapt(self, number: int, fields: frozenset[str]) -> bool: ...


TOLD_FROM = 3.0  # seconds of a wait that a page tells


@dataclass(frozen=True)
class Limits:
    """The most calls at once, the tries of each, and the seconds that it may take."""

    parallel: int = 4
    retries: int = 4
    timeout: float = 60.0


@dataclass(order=True)
class Waiting:
    """A waiting call: calls that were tried come before those that were not."""

    number: int
    tries: int = field(compare=False, default=0)


@dataclass
class Running:
    """A call under way, and the time of its start."""

    call: Waiting
    asker: Asker
    since: float
    late: bool = False


Ended = tuple[int, Answer | Exception]
"""The number of a call that has ended, and what it ended with."""

Sent = tuple[int, Asker, Any]
"""The number of a call, its asker and its request, for a thread."""


class Calls:
    """Makes calls with askers: idle ones from before, which it gives back, and new ones."""

    def __init__(
        self, new_asker: Callable[[], Asker], idle: list[Asker], name: str, limits: Limits,
        awaits: Callable[[str], None] = lambda sentence: None,
    ) -> None:  # fmt: skip
        """`awaits` is told what all calls wait for, where that takes seconds, and "" when the wait is over."""
        self._new_asker, self._idle, self._name, self.limits = new_asker, idle, name, limits
        self._awaits, self._told_to_wait = awaits, False
        self._waiting: list[Waiting] = []
        self._running: dict[int, Running] = {}
        self._sent: queue.SimpleQueue[Sent | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Ended] = queue.SimpleQueue()
        self._threads = 0
        self._quiet_until = 0.0  # the endpoint is in trouble, or asked to be left alone
        self._wrong: Exception | None = None

    def answers(
        self, requests: Sequence[Any], gate: Gate, step: Callable[[], None]
    ) -> Iterator[tuple[int, Answer | Refusal]]:
        """The number of each request with its answer, or with the reason why it alone gets none, as they come.

        `gate` is asked before each is sent, and `step` is called all the time. Where `step` raises, calls under way are
        ended. Where `gate` raises or a call fails for good, no further one is sent, but the answers of those under
        way still come: they are paid. Then the error is raised, that of a call as a UserError.
        """
        self._gate = gate
        self._waiting = [Waiting(number) for number in range(len(requests))]
        try:
            ended: list[Ended] = []
            while self._waiting or self._running or ended:
                with gate.together():
                    told = self._told(ended)
                    ready = self._ready()
                for call in ready:
                    self._send(call, requests[call.number])
                yield from told
                self._end_late()
                ended = self._ended(TICK) if self._waiting or self._running else []
                step()
        except GeneratorExit:
            raise  # nobody takes what comes
        except BaseException:
            with gate.together():
                self._told([*ended, *self._ended(0.0)])
            raise
        finally:
            for running in self._running.values():
                running.asker.abort()
            for _ in range(self._threads):
                self._sent.put(None)
        if self._wrong is not None:
            raise self._wrong

    def _ready(self) -> list[Waiting]:
        """The calls that are to be sent now."""
        now, ready = time.monotonic(), list[Waiting]()
        while self._waiting and len(self._running) + len(ready) < self.limits.parallel and self._quiet_until <= now:
            try:
                if not self._gate.open(self._waiting[0].number, len(self._running) + len(ready)):
                    break
            except UserError as error:
                self._give_up(error)
                break
            ready.append(heapq.heappop(self._waiting))
        return ready

    def _send(self, call: Waiting, request: Any) -> None:
        call.tries += 1
        if self._told_to_wait:
            self._told_to_wait = False
            self._awaits("")
        running = Running(call, self._idle.pop() if self._idle else self._new_asker(), time.monotonic())
        self._running[call.number] = running
        self._sent.put((call.number, running.asker, request))
        if self._threads < len(self._running):
            self._threads += 1
            threading.Thread(target=self._ask, daemon=True).start()

    def _ask(self) -> None:
        """Make calls, in a thread, until there are none any more."""
        while sent := self._sent.get():
            number, asker, request = sent
            try:
                self._done.put((number, asker.ask(request)))
            except Exception as error:
                self._done.put((number, error))

    def _end_late(self) -> None:
        """End calls that take longer than they may, even if bytes still come in."""
        now = time.monotonic()
        for running in self._running.values():
            if not running.late and now - running.since > self.limits.timeout:
                running.late = True
                running.asker.abort()

    def _ended(self, patience: float) -> list[Ended]:
        """The calls that have ended; waits so long for the first."""
        found: list[Ended] = []
        with suppress(queue.Empty):
            while True:
                found.append(self._done.get_nowait() if found or not patience else self._done.get(timeout=patience))
        return found

    def _told(self, ended: list[Ended]) -> list[tuple[int, Answer | Refusal]]:
        """The final answers and refusals of calls that ended; the other calls wait for another try."""
        told: list[tuple[int, Answer | Refusal]] = []
        while ended:
            number, found = ended.pop(0)
            running = self._running.pop(number)
            if isinstance(found, Answer):
                if not running.late:
                    self._idle.append(running.asker)
                try:
                    told.append((number, self._gate.answered(number, found)))
                except UserError as error:
                    self._give_up(error)
                continue
            free = isinstance(found, Failure) and found.free and not running.late
            self._gate.close(number, free)
            if free and isinstance(found, Failure) and found.fields and self._gate.adapt(number, found.fields):
                self._again(running.call)
            elif isinstance(found, Failure) and found.alone and free:
                told.append((number, Refusal(found.alone, found.sentence)))
            else:
                self._failed(running, found)
        return told

    def _again(self, call: Waiting) -> None:
        """Send a call again, which was no try: the server did not take a field of it."""
        call.tries -= 1
        if self._wrong is None:
            heapq.heappush(self._waiting, call)

    def _failed(self, running: Running, error: Exception) -> None:
        call = running.call
        if running.late:
            error = Failure(f"The endpoint {self._name} does not answer in time.", True)
        if not isinstance(error, Failure):
            self._give_up(error)
            return
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (call.tries - 1)) if error.wait is None else max(TICK, error.wait)
        if error.passes and wait > LONGEST_RETRY_AFTER:
            self._give_up(
                UserError(
                    "{given} The endpoint asks to wait {wait:,.0f} minutes; run it again then.",
                    given=error.sentence,
                    wait=wait / 60,
                )
            )
        elif not error.passes or call.tries > self.limits.retries:
            often = f" It was tried {call.tries} times." if call.tries > 1 else ""
            self._give_up(UserError("{given}{often}", given=error.sentence, often=often))
        elif self._wrong is None:
            self._quiet_until = max(self._quiet_until, time.monotonic() + wait)
            if wait >= TOLD_FROM:
                self._told_to_wait = True
                self._awaits(f"{error.sentence} It is asked again in {wait:,.0f} seconds.")
            heapq.heappush(self._waiting, call)

    def _give_up(self, error: Exception) -> None:
        """Send nothing more; the first error is reported."""
        self._wrong = self._wrong or error
        self._waiting = []
