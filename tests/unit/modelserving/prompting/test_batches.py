"""Calls as a batch of the endpoint: sent once whatever a worker does, and held to the limit of cost."""

import json
from dataclasses import replace

import pytest
from support.language_model_server import completion, served

from foundation.errors import UserError
from modelserving.prompting import batches
from modelserving.prompting.model import EndpointService
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.run_context import Answer, Refusal, RunContext

PRICES = {"price_input": 1000.0, "price_output": 2000.0}
ASKED = CallOptions(batches=True, retries=1)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(batches, "FIRST_LOOK", 0.01)
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url}")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


class Lost(Exception):
    """The worker is lost."""


class Noted(RunContext):
    """A run whose worker is lost when it has noted the batch so often; what was stored is in `stored`."""

    def __init__(self, lost_at=0, stored=None):
        super().__init__()
        self.notes, self.lost_at = 0, lost_at
        self.usage = replace(stored.usage) if stored else self.usage
        self._answers = dict(stored._answers) if stored else {}

    def note_batch(self, batch):
        super().note_batch(batch)
        self.notes += 1
        if self.notes == self.lost_at:
            raise Lost


def prompts(count):
    return [[{"role": "user", "content": f"Text (a): text {n}\nRewritten (b):"}] for n in range(count)]


def ask(context, count=5, asked=ASKED, **given):
    options = PromptOptions(endpoint="far", model="m", most_tokens=50, **{**PRICES, **given})
    return list(EndpointService(options, 1).answers(prompts(count), context, asked))


def test_answers_of_a_batch_are_those_of_calls_at_their_cost(server):
    server.looks = 2
    alone, together = Noted(), Noted()
    expected = ask(alone, asked=CallOptions())
    assert ask(together) == expected
    assert len(server.batches) == 1
    assert replace(together.usage, most=0) == replace(alone.usage, most=0)
    assert together.usage.most == pytest.approx(together.usage.cost)


@pytest.mark.parametrize("lost_at", [1, 2, 3])
def test_a_worker_that_is_lost_at_any_step_sends_and_pays_nothing_twice(server, lost_at):
    lost = Noted(lost_at)
    with pytest.raises(Lost):
        ask(lost)
    found = Noted(stored=lost)
    assert len(ask(found)) == 5
    assert len(server.batches) == 1
    assert len(server.requests) == 5
    assert found.usage.calls == 5
    assert found.usage.most == pytest.approx(found.usage.cost)
    assert found.usage.batch == {}


def test_a_batch_that_was_begun_and_not_noted_is_found_by_its_file(server):
    lost = Noted(3)  # the file is noted, and the batch is not
    with pytest.raises(Lost):
        ask(lost)
    lost.usage = replace(lost.usage, batch={key: value for key, value in lost.usage.batch.items() if key != "batch"})
    assert len(ask(Noted(stored=lost))) == 5
    assert len(server.batches) == 1


def test_a_limit_of_cost_is_kept_by_smaller_batches(server):
    context = Noted()  # 78 bytes and marks of the template at most, 50 tokens out: about 0.2 a call
    with pytest.raises(UserError, match=r"The limit of 0\.6000 is reached"):
        ask(context, 40, CallOptions(batches=True, most_cost=0.6))
    assert context.usage.most <= 0.6
    assert len(server.batches) > 1


def test_calls_that_fail_alone_are_told_and_others_are_sent_again_without_what_is_not_taken(server):
    def behave(request):
        if "seed" in request:
            return 400, {}, b'{"error": {"message": "Unsupported parameter: seed", "param": "seed"}}'
        if "text 1" in request["messages"][0]["content"]:
            return 400, {}, b'{"error": {"message": "x", "code": "context_length_exceeded"}}'
        return 200, {}, completion(request)

    server.behave = behave
    context = Noted()
    found = ask(context)
    assert [type(one) for one in found] == [Answer, Refusal, Answer, Answer, Answer]
    assert context.usage.left_out == ("seed",)
    assert len(server.batches) == 2
    assert context.usage.most == pytest.approx(context.usage.cost)


def test_a_batch_that_the_endpoint_refuses_is_one_sentence_and_costs_nothing(server, monkeypatch):
    context = Noted()
    server.looks = 10**9

    class Refusing(dict):
        def values(self):
            return []

        def __setitem__(self, name, batch):
            errors = {"data": [{"message": "Too many requests in the file."}]}
            super().__setitem__(name, {**batch, "status": "failed", "errors": errors})

    server.batches = Refusing()
    with pytest.raises(UserError) as caught:
        ask(context)
    assert str(caught.value) == "The endpoint far refused the batch: Too many requests in the file."
    assert (context.usage.most, context.usage.batch) == (0.0, {})


def test_an_endpoint_without_batches_is_one_sentence(server):
    server.batches = None
    context = Noted()

    class Nothing(dict):
        def __setitem__(self, name, body):
            raise ConnectionAbortedError

    server.files = Nothing()
    with pytest.raises(UserError, match="far"):
        ask(context)
    assert len(server.requests) == 0


def test_lines_that_are_no_answers_are_passed_over_and_asked_again(server):
    def behave(request):
        odd = len(server.requests) <= 2
        return 200, {}, json.dumps({"choices": []}).encode() if odd else completion(request)

    server.behave = behave
    context = Noted()
    with pytest.raises(UserError, match="no chat completion"):
        ask(context)
    assert context.usage.calls == 3  # the others are kept
    assert len(ask(context)) == 5
    assert context.usage.calls == 5
