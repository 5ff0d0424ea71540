"""Calls as one batch of an endpoint (OpenAI's `/v1/batches`): a file is uploaded, and its answers come within a day.

The run notes how far it is before each step that costs, so a worker that is lost asks and pays for nothing twice:
another finds the batch by its file, or by its number, and goes on waiting. A run that is a job gives its place at the
worker to others while it waits, and comes back when the batch is over (`modelserving.parked_batches`).
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from foundation.errors import UserError
from foundation.translation import translate
from modelserving.prompting.calls import TICK, Failure, Gate, Limits, of_status
from modelserving.run_context import Answer, Refusal, RunContext

FIRST_LOOK, LONGEST_LOOK = 5.0, 60.0  # seconds between two looks at a batch, longer each time
OVER = ("completed", "expired", "cancelled")
URL = "/v1/chat/completions"
FAILED = "failed"
Line = tuple[str, Answer | Failure]
"""The key of a request, and how it ended."""


def is_over(batch: Mapping[str, Any]) -> bool:
    """Whether nothing more comes of a batch."""
    return batch.get("status") in (*OVER, FAILED)


class BatchServer(Protocol):
    """An endpoint that takes batches. Each method raises a Failure where it does not answer as asked."""

    def upload(self, lines: bytes) -> str:
        """The id of a file of requests."""

    def start(self, file: str) -> str:
        """The id of a new batch of a file."""

    def find(self, file: str) -> str:
        """The id of the batch of a file; "" where there is none."""

    def look(self, batch: str) -> Mapping[str, Any]:
        """The batch: its status, and the ids of its files."""

    def read(self, file: str) -> Iterator[bytes]:
        """The lines of a file of answers."""

    def answer(self, body: bytes) -> Answer:
        """The answer in a body of a chat completion."""


class BatchGate(Gate, Protocol):
    """A gate that keeps the answers of a batch, whoever sent it."""

    def hold(self, numbers: Sequence[int]) -> tuple[list[int], float]:
        """Reserve the cost of as many of these calls as fit the limit: their numbers, and the cost of all."""

    def keep(self, key: str, answer: Answer, left_out: str) -> tuple[Answer, float | None]:
        """Keep an answer by its key: its final form and its cost, None where nobody knows it."""

    def permit(self) -> None:
        """A UserError where nothing may be sent."""

    def check_model(self) -> None:
        """A UserError where two models have answered."""


class Batches:
    """Asks in batches, one after the other."""

    def __init__(
        self, server: BatchServer, name: str, key: str, limits: Limits, context: RunContext, gate: BatchGate
    ) -> None:
        """`name` and `key` are the endpoint's."""
        self._server, self._name, self._key, self._limits = server, name, key, limits
        self._context, self._gate = context, gate
        self._numbers: list[int] = []  # of the calls of the batch that is not sent yet

    def answers(
        self, requests: Sequence[Mapping[str, Any]], keys: Sequence[str]
    ) -> Iterator[tuple[int, Answer | Refusal]]:
        """The number of each request with its answer, or with the reason why it alone gets none."""
        number_of = {key: number for number, key in enumerate(keys)}
        waiting, tries = list(range(len(requests))), 0
        while waiting:
            self._reserve(waiting)
            told, wrong = self._taken(self._awaited(requests, keys), number_of)
            yield from told
            if wrong is not None:
                raise wrong
            done = {number for number, _ in told}
            waiting, before = [number for number in waiting if number not in done], len(waiting)
            tries = 0 if len(waiting) < before else tries + 1
            if tries > self._limits.retries:
                raise UserError("The endpoint {name} ended a batch without an answer.", name=self._name)

    def _reserve(self, waiting: Sequence[int]) -> None:
        """Note the most that the next batch can cost, unless one is with the endpoint already."""
        state = self._context.usage.batch
        if state.get("file"):
            return
        with self._gate.together():
            if state:  # of a worker that was lost before it sent anything
                self._context.hold(-state["held"])
                self._context.note_batch({})
            self._gate.permit()
            self._numbers, held = self._gate.hold(waiting)
            left_out = ",".join(self._context.usage.left_out)
            self._context.note_batch({"calls": len(self._numbers), "held": held, "left_out": left_out})

    def _awaited(self, requests: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> Mapping[str, Any] | UserError:
        """The batch when it is over, sent before where it was not; or why it never will be."""
        state = self._context.usage.batch
        try:
            if not state.get("batch"):
                self._send(requests, keys)
            wait, found = FIRST_LOOK, self._look()
            while not is_over(found):
                self._context.leave(self._awaited_in_words())
                self._rest(wait)
                wait, found = min(LONGEST_LOOK, 1.5 * wait), self._look()
        except Failure as failure:
            if failure.passes:  # the batch, if there is one, stays noted: a later run of the job finds it
                raise UserError(failure.sentence) from None
            return UserError(failure.sentence)
        if found["status"] != FAILED:
            return found
        errors = (found.get("errors") or {}).get("data") or [{}]
        return UserError(
            "The endpoint {name} refused the batch: {reason}.",
            name=self._name,
            reason=" ".join(str(errors[0].get("message") or "no reason").split())[:200].rstrip(". "),
        )

    def _awaited_in_words(self) -> str:
        calls = self._context.usage.batch["calls"]
        if calls == 1:
            return translate(
                "It waits for the answer to a batch of 1 call from the endpoint {name}, which comes within a day, at "
                "no worker.", name=self._name,
            )  # fmt: skip
        return translate(
            "It waits for the answers to a batch of {n} calls from the endpoint {name}, which come within a day, at no "
            "worker.", n=f"{calls:,}", name=self._name,
        )  # fmt: skip

    def _send(self, requests: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> None:
        """Upload the calls and begin the batch, as far as nobody has."""
        state = self._context.usage.batch
        found = self._server.find(state["file"]) if state.get("file") else ""
        if not state.get("file"):
            lines = (
                {"custom_id": keys[number], "method": "POST", "url": URL, "body": requests[number]}
                for number in self._numbers
            )
            body = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
            state = {**state, "file": self._server.upload(body.encode("utf-8", "replace"))}
            self._context.note_batch(state)
        if not found:
            self._gate.permit()
            found = self._server.start(state["file"])
        self._context.note_batch({**state, "batch": found})
        self._context.say(f"A batch of {state['calls']:,} calls is with the endpoint {self._name}.")

    def _look(self) -> Mapping[str, Any]:
        """The batch as it is; trouble that passes is waited for."""
        tries = 0
        while True:
            try:
                return self._server.look(self._context.usage.batch["batch"])
            except Failure as failure:
                tries += 1
                if not failure.passes or tries > self._limits.retries:
                    raise
                self._rest(failure.wait if failure.wait is not None else FIRST_LOOK)

    def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._context.step()
            time.sleep(min(TICK, left))

    def _taken(
        self, found: Mapping[str, Any] | UserError, number_of: Mapping[str, int]
    ) -> tuple[list[tuple[int, Answer | Refusal]], Exception | None]:
        """Keep the answers of a batch that is over, and give back what it did not cost."""
        state, told = self._context.usage.batch, list[tuple[int, Answer | Refusal]]()
        wrong: Exception | None = None
        lines = [] if isinstance(found, UserError) else list(self._lines(found))
        spent, each = 0.0, state["held"] / max(1, state["calls"])
        with self._gate.together():
            for key, ended in lines:
                number = number_of.get(key)
                if isinstance(ended, Answer):
                    answer, cost = self._gate.keep(key, ended, state["left_out"])
                    spent += each if cost is None else cost
                    told += [(number, answer)] if number is not None else []
                elif ended.alone:
                    told += [(number, Refusal(ended.alone, ended.sentence))] if number is not None else []
                elif not ended.passes and not (
                    number is not None and ended.fields and self._gate.adapt(number, ended.fields)
                ):
                    wrong = wrong or UserError(ended.sentence)
            self._context.hold(spent - state["held"])
            self._context.note_batch({})
        try:
            self._gate.check_model()
        except UserError as error:
            wrong = wrong or error
        return told, found if isinstance(found, UserError) else wrong

    def _lines(self, found: Mapping[str, Any]) -> Iterator[Line]:
        """How each request of a batch ended; a key that comes twice counts once."""
        seen: set[str] = set()
        for name in ("output_file_id", "error_file_id"):
            for line in self._server.read(found[name]) if found.get(name) else ():
                if line.strip() and (ended := self._ended(line)) and ended[0] not in seen:
                    seen.add(ended[0])
                    yield ended

    def _ended(self, line: bytes) -> Line | None:
        try:
            said = json.loads(line)
            key, response = str(said["custom_id"]), said.get("response") or {}
            status, body = int(response.get("status_code") or 0), json.dumps(response.get("body")).encode()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        if status == 200:
            try:
                return key, self._server.answer(body)
            except Failure as failure:
                return key, failure
        if not status:  # it was not done, as that of a batch that expired
            return key, Failure(f"The endpoint {self._name} did not answer in time.", True, free=True)
        return key, of_status(self._name, self._key, status, {}, body)
