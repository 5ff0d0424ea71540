"""Messages that the protocol does not know are answered by their codes, and never end the server."""

import json
from typing import Any

import pytest

from restyle.mcp.protocol import answered
from restyle.mcp.tools import Tool

TEXT = {"text": {"type": "string"}}
TOOLS = {"echo": Tool("echo", "It says it again.", lambda text: {"text": text}, TEXT, ("text",))}


def said(message: Any) -> Any:
    return answered(message if isinstance(message, bytes) else json.dumps(message).encode(), TOOLS)


@pytest.mark.parametrize(("message", "code"), [
    (b"{", -32700),
    (b"\xff", -32700),
    ([], -32600),
    ({"id": 1}, -32600),
    ({"id": 1, "method": "resources/list"}, -32601),
    ({"id": 1, "method": "server/discover"}, -32601),
    ({"id": 1, "method": "tools/call", "params": {"name": "none"}}, -32602),
    ({"id": 1, "method": "tools/call", "params": []}, -32602),
])  # fmt: skip
def test_a_wrong_message_has_a_code(message: Any, code: int) -> None:
    assert said(message)["error"]["code"] == code


@pytest.mark.parametrize(("given", "sentence"), [
    ({}, "echo needs 'text'."),
    ({"text": 1}, "text: expected string."),
    ({"text": "a", "more": 1}, "echo takes no 'more'; it takes text."),
    (["a"], "The arguments are an object."),
])  # fmt: skip
def test_a_wrong_argument_is_said_to_the_assistant(given: Any, sentence: str) -> None:
    result = said({"id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": given}})["result"]
    assert (result["isError"], result["content"][0]["text"]) == (True, sentence)


def test_a_tool_answers_as_text_and_as_data() -> None:
    call = {"id": "a", "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "ç"}}}
    answer = said(call)
    assert answer["id"] == "a"
    assert answer["result"]["structuredContent"] == json.loads(answer["result"]["content"][0]["text"]) == {"text": "ç"}


@pytest.mark.parametrize(("asked", "given"), [
    ("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-11-25"), (None, "2025-11-25"),
])  # fmt: skip
def test_the_version_is_agreed_on(asked: str | None, given: str) -> None:
    hello = {"id": 1, "method": "initialize", "params": {"protocolVersion": asked}}
    assert said(hello)["result"]["protocolVersion"] == given


def test_a_notification_has_no_answer() -> None:
    assert said({"method": "notifications/initialized"}) is None
