"""Endpoints that refuse, lie, limit, hang or leave: each is one sentence, and nothing but that."""

import gc
import gzip
import json
import logging
import socket
import threading
import time
import warnings

import pytest
from support.language_model_server import completion, served
from support.processes import wait_until

from modelserving.prompting.calls import Failure
from modelserving.prompting.connection import MOST_BYTES, Connection, answer_in
from modelserving.prompting.endpoints import Endpoint

REQUEST = {"model": "tiny", "messages": [{"role": "user", "content": "Text (a): hi there\nRewritten (b):"}], "seed": 1}
KEY = "sk-very-secret-key"


@pytest.fixture
def server():
    with served() as one:
        yield one


def ask(url, timeout=60.0, key=KEY):
    return Connection(Endpoint("lab", url, key=key), timeout).ask(REQUEST)


def failure(server, timeout=60.0):
    with pytest.raises(Failure) as caught:
        ask(server.url, timeout)
    assert "lab" in caught.value.sentence
    assert caught.value.sentence.endswith(".")
    assert "secret" not in caught.value.sentence
    assert server.url not in caught.value.sentence
    return caught.value


def test_an_answer_has_its_text_model_end_and_tokens(server):
    answer = ask(server.url)
    assert answer.text.startswith("HI THERE ")
    assert (answer.model, answer.finish, answer.input, answer.output) == ("tiny", "stop", 6, 3)
    assert server.requests == [REQUEST]


THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "She?"}], "closed": True}  # as magistral sends it


@pytest.mark.parametrize(("message", "text"), [
    ({"content": [THINKING, {"type": "text", "text": "She likes it."}]}, "She likes it."),
    ({"content": [{"type": "text", "text": "She "}, {"type": "reference", "reference_ids": [1]},
                  {"type": "text", "text": "likes it."}]}, "She likes it."),
    ({"content": ["She likes it."]}, "She likes it."),
    ({"content": [{"type": "output_text", "text": "She likes it."}]}, "She likes it."),
    ({"content": [THINKING]}, "<think>"),
    ({"content": [THINKING, {"type": "text", "text": ""}]}, ""),
    ({"content": [], "refusal": "I can't."}, "I can't."),
    ({"content": "She likes it.", "reasoning_content": "She?", "reasoning": "She?"}, "She likes it."),
    ({"content": None, "reasoning": "She?"}, "<think>"),
])  # fmt: skip
def test_parts_of_an_answer_are_its_text_alone(message, text):
    assert answer_in("lab", json.dumps({"choices": [{"message": message}]}).encode()).text == text


@pytest.mark.parametrize(
    "content", [[1], [{}], [None], [{"type": "text"}], [{"type": "text", "text": 1}], {"text": "a"}]
)
def test_parts_that_are_none_are_no_answer(content):
    with pytest.raises(Failure, match="no chat completion"):
        answer_in("lab", json.dumps({"choices": [{"message": {"content": content}}]}).encode())


def test_the_key_goes_to_the_endpoint_and_nothing_else_of_the_machine_does(server, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "of-somebody-else")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-other: of-somebody-else")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    ask(server.url)
    ask(server.url, key="")
    first, second = server.headers
    assert first["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in second
    assert set(first) <= {
        "host", "content-type", "content-length", "accept", "user-agent", "accept-encoding", "authorization",
        "connection",
    }  # fmt: skip
    assert "somebody" not in str(server.headers)


def test_neither_prompts_nor_keys_are_logged_at_any_level(server, caplog):
    with caplog.at_level(logging.DEBUG):
        ask(server.url)
        server.behave = lambda request: (401, {}, b"{}")
        failure(server)
    assert "hi there" not in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 418, 422])
def test_what_is_refused_for_good_is_not_to_be_tried_again(server, status):
    server.behave = lambda request: (status, {}, b'{"error": {"message": "too long by 7 tokens"}}')
    found = failure(server)
    assert not found.passes
    assert ("too long by 7 tokens" in found.sentence) == (status in (400, 404, 413, 422))


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_may_be_tried_again_after_as_long_as_the_server_says(server, status):
    server.behave = lambda request: (status, {"retry-after": "7"}, b"busy")
    found = failure(server)
    assert found.passes
    assert found.wait == (7.0 if status in (429,) or status >= 500 else found.wait)


@pytest.mark.parametrize("given", ["Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-3", "9" * 400, ""])
def test_a_retry_after_of_any_kind_is_taken(server, given):
    server.behave = lambda request: (429, {"retry-after": given}, b"")
    found = failure(server)
    assert found.wait in (None, 0.0)


@pytest.mark.parametrize("echo", [KEY, f"key {KEY[:9]}***", f"…{KEY[-6:]}", {"message": KEY}, [KEY]])
def test_a_key_that_a_server_sends_back_is_not_told(server, echo):
    server.behave = lambda request: (400, {}, json.dumps({"error": {"message": echo}}).encode())
    assert failure(server).sentence == "The endpoint lab refused the request."


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_nobody_is_followed_elsewhere(server, status):
    with served() as other:
        server.behave = lambda request: (status, {"location": other.url + "/chat/completions"}, b"")
        assert not failure(server).passes
        assert other.requests == []


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html>Hello</html>", b"[]", b"{}", b"null", b"\xff\xfe", b'{"choices": []}', b'{"choices": [{}]}',
        b'{"choices": {"0": 1}}', b'{"choices": [{"message": {"content": 5}}]}', b'{"choices": [{"message": []}]}',
        b'{"choices": [{"message": {"content": [{"type": "text"}]}}]}', b"[" * 100_000,
        completion(REQUEST, usage={"prompt_tokens": -1}), completion(REQUEST, usage={"prompt_tokens": "7"}),
        completion(REQUEST, usage=[7]), completion(REQUEST, usage={"prompt_tokens": 1e308}),
        completion(REQUEST, model=7), completion(REQUEST, model="x" * 300),
        completion(REQUEST, usage={"prompt_tokens": True}),
    ],
)  # fmt: skip
def test_what_is_no_chat_completion_is_a_sentence(server, body):
    server.behave = lambda request: (200, {}, body)
    found = failure(server)
    assert "no chat completion" in found.sentence
    assert not found.passes


def test_a_refusal_is_an_answer_and_odd_characters_are_taken_out(server):
    choice = {"message": {"content": None, "refusal": "I \0can\ud800not."}, "finish_reason": "content_filter"}
    server.behave = lambda request: (200, {}, completion(request, choices=[choice], usage=None))
    answer = ask(server.url)
    assert (answer.text, answer.finish, answer.input) == ("I can?not.", "content_filter", 0)


def test_an_answer_without_end_or_of_ten_megabytes_is_not_read(server):
    sent = []

    def endless(handler):
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b" " * 65536)
                sent.append(65536)
        except OSError:
            handler.close_connection = True

    server.behave = lambda request: endless
    assert "more than an answer can be" in failure(server).sentence
    server.behave = lambda request: (200, {}, b" " * 10_000_000)
    assert not failure(server).passes
    server.behave = lambda request: (500, {}, b" " * 10_000_000)
    assert "status 500" in failure(server).sentence or "more than" in failure(server).sentence
    assert sum(sent) < 10 * MOST_BYTES


def test_a_compressed_answer_is_not_opened(server):
    body = gzip.compress(b" " * 100_000_000)
    server.behave = lambda request: (200, {"content-encoding": "gzip"}, body)
    assert "not asked for" in failure(server).sentence


def test_a_server_that_closes_in_the_middle_may_be_tried_again(server):
    def broken(handler):
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.close_connection = True

    server.behave = lambda request: broken
    assert failure(server).passes
    server.behave = lambda request: lambda handler: handler.connection.shutdown(socket.SHUT_RDWR)
    assert failure(server).passes


def test_an_idle_connection_that_the_server_ended_is_made_anew(server):
    def last(handler):
        handler.send_response(200)
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for part in (completion(REQUEST), b""):
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True
        ended.set()

    ended = threading.Event()
    connection = Connection(Endpoint("lab", server.url), 60.0)
    server.behave = lambda request: last
    assert connection.ask(REQUEST).model == "tiny"
    assert ended.wait(60), "The server did not end the connection"
    server.behave = None
    assert connection.ask(REQUEST).model == "tiny"
    assert connection.ask(REQUEST).model == "tiny"


def test_a_server_that_speaks_something_else_is_a_sentence(server):
    def other(handler):
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n")
        handler.close_connection = True

    server.behave = lambda request: other
    failure(server)


def test_nobody_there_and_no_such_name_are_sentences():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/v1", "http://nowhere.invalid/v1", f"https://127.0.0.1:{port}/v1"):
        with pytest.raises(Failure, match=r"lab cannot be reached\.") as caught:
            ask(url)
        assert caught.value.passes


def test_a_server_without_tls_or_with_a_certificate_of_nobody_is_not_trusted(server):
    with pytest.raises(Failure, match="cannot be reached"):
        ask(server.url.replace("http:", "https:"))


def test_a_server_that_hangs_is_given_up_in_time():
    with served(gate=threading.Event()) as server:
        began = time.monotonic()
        found = failure(server, timeout=0.3)
        assert found.passes
        assert "in time" in found.sentence
        assert time.monotonic() - began < 60  # the library waits ten minutes


def test_a_call_under_way_is_ended_from_outside():
    with served(gate=threading.Event()) as server:
        connection = Connection(Endpoint("lab", server.url), 60.0)
        caught: list[BaseException] = []

        def work():
            try:
                connection.ask(REQUEST)
            except Failure as error:
                caught.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        wait_until(lambda: server.requests, "The call did not come to the server")
        connection.abort()
        thread.join(60)
        assert not thread.is_alive(), "The call goes on that was ended"
        assert len(caught) == 1


def test_a_connection_that_nobody_has_any_more_leaves_no_open_socket(server):
    connection = Connection(Endpoint("lab", server.url), 60.0)
    connection.ask(REQUEST)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        del connection
        gc.collect()
    assert not [str(one.message) for one in told if issubclass(one.category, ResourceWarning)]
