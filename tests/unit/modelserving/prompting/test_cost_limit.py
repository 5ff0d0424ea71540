"""A limit of cost is never passed, however many calls go side by side: the bill is the server's own."""

import random
import threading

import pytest
from support.language_model_server import completion, served

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.prompting import calls
from modelserving.prompting.model import EndpointService
from modelserving.prompting.options import TEMPLATE, CallOptions, PromptOptions, worst_cost
from modelserving.run_context import RunContext
from modelserving.transfer import TRANSFERS

PRICES = {"price_input": 1000.0, "price_output": 2000.0}
TOKENS = 50


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url}")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


def prompts(count, length=40):
    return [[{"role": "user", "content": f"Text (a): {'x' * length} {n}\nRewritten (b):"}] for n in range(count)]


def ask(context, count, most_cost, parallel, length=40, retries=0, **given):
    options = validate_options(
        PromptOptions, {"endpoint": "far", "model": "m", "most_tokens": TOKENS, **PRICES, **given}
    )
    asked = CallOptions(parallel=parallel, most_cost=most_cost, retries=retries, timeout=60.0)
    return list(EndpointService(options, 1).answers(prompts(count, length), context, asked))


class Dear:
    """Answers as dear as a server may make them: at first few tokens, then all that it may; the bill is its own."""

    def __init__(self, server, seed):
        self.server, self.draws = server, random.Random(seed)  # noqa: S311 (no secret)
        self.bill, self.lock = 0.0, threading.Lock()

    def __call__(self, request):
        with self.lock:
            whole = len(self.server.requests) > 3 and self.draws.random() < 0.8
            out = request["max_tokens"] if whole else 1
            tokens = len(request["messages"][0]["content"]) if whole else 5
            self.bill += (tokens * 1000 + out * 2000) / 1e6
        usage = {"prompt_tokens": tokens, "completion_tokens": out}
        return 200, {}, completion(request, usage=usage)


@pytest.mark.parametrize("parallel", [1, 4, 16])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_servers_bill_stays_within_the_limit_and_near_it(server, parallel, seed):
    server.behave = dear = Dear(server, seed)
    context = RunContext()
    with pytest.raises(UserError) as caught:
        ask(context, 60, 2.0, parallel)
    one = ((len(prompts(1)[0][0]["content"]) + 1 + 64) * 1000 + TOKENS * 2000) / 1e6  # by hand: bytes, template, answer
    assert caught.value.where == "most_cost"
    assert f"The limit of 2.00 is reached: {context.usage}; one more call can cost up to 0.2" in caught.value.sentence
    assert 2.0 - one <= dear.bill <= 2.0
    assert context.usage.cost == pytest.approx(dear.bill)
    assert context.usage.most == pytest.approx(dear.bill)


def test_a_limit_that_no_call_fits_sends_nothing(server):
    with pytest.raises(UserError, match="one more call can cost up to"):
        ask(RunContext(), 3, 0.01, 4)
    assert server.requests == []


def test_all_that_fits_is_answered_without_a_word_of_the_limit(server):
    assert len(ask(RunContext(), 20, 100.0, 4)) == 20


def test_calls_of_which_nobody_knows_the_end_stay_counted(server):
    def broken(handler):
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        handler.close_connection = True

    server.behave = lambda request: broken
    context = RunContext()
    for _ in range(20):
        with pytest.raises(UserError) as caught:
            ask(context, 1, 1.0, 1)
    assert caught.value.where == "most_cost"
    assert (len(server.requests), context.usage.cost) == (
        4,
        0.0,
    )  # 67 bytes, 64 of the template, 50 out: 0.231, so four do not pass 1
    assert 0.8 < context.usage.most <= 1.0


def test_calls_that_were_refused_cost_nothing(server):
    server.behave = lambda request: (429, {"retry-after": "0"}, b"")
    context = RunContext()
    with pytest.raises(UserError, match="limits how much"):
        ask(context, 3, 1.0, 1)
    assert context.usage.most == 0.0


class Waits(RunContext):
    """A run that remembers what it was said to wait for."""

    def __init__(self):
        super().__init__()
        self.said = []

    def awaits(self, sentence):
        self.said.append(sentence)


def test_a_limit_of_the_server_is_told_while_all_calls_wait_for_it(server, monkeypatch):
    monkeypatch.setattr(calls, "TOLD_FROM", 0.0)
    answers = iter([(429, {"retry-after": "0"}, b"")])
    server.behave = lambda request: next(answers, (200, {}, completion(request)))
    context = Waits()
    ask(context, 2, 0.0, 1, retries=1)
    assert context.said == ["The endpoint far limits how much it is asked. It is asked again in 0 seconds.", ""]


def test_a_server_that_counts_nothing_is_held_to_the_most_that_calls_can_cost(server):
    server.behave = lambda request: (200, {}, completion(request, usage=None))
    context = RunContext()
    with pytest.raises(UserError) as caught:
        ask(context, 60, 2.0, 8)
    assert caught.value.where == "most_cost"
    assert context.usage.guessed == context.usage.calls == len(server.requests) == 8  # 0.231 each
    assert context.usage.cost < context.usage.most <= 2.0
    assert "the service tells no tokens" in str(context.usage)


def test_a_server_that_charges_more_than_was_asked_for_is_held_to_more_from_then_on(server):
    usage = {"prompt_tokens": 100, "completion_tokens": TOKENS * 10}
    server.behave = lambda request: (200, {}, completion(request, usage=usage))
    context = RunContext()
    with pytest.raises(UserError) as caught:
        ask(context, 60, 4.0, 1)
    assert caught.value.where == "most_cost"
    assert context.usage.cost <= 4.0
    assert "up to 1." in caught.value.sentence


@pytest.mark.parametrize(("text", "size"), [("日本語", 9), ("👩‍👩‍👧", 18), ("é", 2), ("\ud800", 1), ("", 0)])
def test_bytes_bound_tokens_in_every_script(text, size):
    assert worst_cost([{"content": text}], 7, (1e6, 1e6)) == size + TEMPLATE + 7


def test_a_limit_without_prices_is_refused_before_anything_is_queued(server):
    given = {"endpoint": "far", "model": "m", "most_cost": 1.0}
    with pytest.raises(UserError, match=r"most_cost: .*needs the prices"):
        TRANSFERS["prompted"].check_options(given)
    with pytest.raises(UserError, match="needs the prices"):
        TRANSFERS["prompted"].check_run({"endpoint": "far"}, CallOptions(most_cost=1.0))
    TRANSFERS["prompted"].check_run({**given, "price_input": 1.0}, CallOptions(most_cost=1.0))
