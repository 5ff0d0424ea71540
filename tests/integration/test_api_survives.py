"""No value that somebody sends makes an answer of 500: each field of each shape, and each query parameter, gets them.

The fields come from the description that the site gives of itself, so that a new one is walked too.
"""

import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from support.every_endpoint import address, sent, world  # noqa: F401  (a fixture)

pytestmark = pytest.mark.django_db
HUGE = "9" * 5000  # digits: Python makes no number of so many
HOSTILE = {
    "5,000 digits": HUGE,
    "1e400": "1e400",
    "NaN": "NaN",
    "a number of 70 bits": str(2**70),
    "a negative number of 70 bits": str(-(2**70)),
    "NUL": r'"a\u0000b"',
    "half of a surrogate pair": r'"\ud800"',
    "a megabyte": json.dumps("a" * 1_000_000),
    "10,000 lists": "[" * 10_000 + "]" * 10_000,
    "500 lists": "[" * 500 + "]" * 500,
    "an object": '{"a": {"b": [null]}}',
    "null": "null",
    "5,000 digits in quotation marks": f'"{HUGE}"',
    "1e400 in quotation marks": '"1e400"',
    "a number of 70 bits in quotation marks": f'"{2**70}"',
    "Infinity in quotation marks": '"Infinity"',
    "a list of such": f'["1e400", {2**70}, null, -1]',
    "an object of such": f'{{"a": {2**70}, "b": 1e400}}',
}


@pytest.fixture(scope="module")
def described():
    from support.every_endpoint import described

    return described()


def fields(described: Any, operation: Any) -> dict[str, Any]:
    """The fields of an operation's body, with what the description says of each."""
    content = operation.get("requestBody", {}).get("content", {})
    shape = resolved(described, next((one["schema"] for one in content.values()), {}))
    return shape.get("properties", {})


def resolved(described: Any, shape: Any) -> Any:
    while "$ref" in shape or "allOf" in shape:
        name = shape["$ref"].rsplit("/", 1)[1] if "$ref" in shape else None
        shape = described["components"]["schemas"][name] if name else shape["allOf"][0]
    return shape


def plain(described: Any, shape: Any) -> str:
    """A value that fits, as JSON."""
    shape = resolved(described, shape)
    if shape.get("enum"):
        return json.dumps(shape["enum"][0])
    kind = shape.get("type")
    if kind == "array":
        return f"[{plain(described, shape.get('items', {}))}]"
    values = {"integer": "1", "number": "0.5", "boolean": "true", "object": "{}"}
    return values.get(kind, '"a"')


def body(given: dict[str, str]) -> str:
    return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in given.items()) + "}"


def asked(client: Client, method: str, url: str, content: str | None = None) -> int:
    """The status of the answer, with whatever it changed undone."""
    point = transaction.savepoint()
    try:
        more = {} if content is None else {"data": content, "content_type": "application/json"}
        return client.generic(method.upper(), url, **more).status_code
    finally:
        transaction.savepoint_rollback(point)


def operations(described: Any, world: Any):  # noqa: F811
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield f"{method.upper()} {path}", method, address(path, world), operation


@pytest.mark.slow
@pytest.mark.parametrize(("step", "of_fields"), [(6, 18), pytest.param(1, 6, marks=pytest.mark.soak)])
def test_no_field_of_a_body_is_an_error_of_the_program(world, described, step, of_fields):  # noqa: F811
    """Of the values each endpoint gets every sixth, and of its fields each gets one; in the soak all, and three."""
    client, wrong = Client(raise_request_exception=False), []
    client.force_login(world[0])
    for number, (name, method, url, operation) in enumerate(operations(described, world)):
        found = fields(described, operation)
        if method in {"get", "delete"} and not found:
            continue
        for what in list(HOSTILE)[number % step :: step]:
            if asked(client, method, url, body(dict.fromkeys(found, HOSTILE[what]))) >= 500:
                wrong.append(f"{name}: {what} everywhere")
        usual = {field: plain(described, shape) for field, shape in found.items()}
        for at, field in enumerate(found):
            for what in list(HOSTILE)[at % of_fields :: of_fields]:
                if asked(client, method, url, body({**usual, field: HOSTILE[what]})) >= 500:
                    wrong.append(f"{name}: {what} in {field}")
    assert not wrong, "\n".join(wrong)


def test_no_query_parameter_and_no_address_is_an_error_of_the_program(world, described):  # noqa: F811
    client, wrong = Client(raise_request_exception=False), []
    client.force_login(world[0])
    values = (HUGE, "1e400", "NaN", str(2**70), "-1", "a%00b", "%ED%A0%80", "a" * 20_000)
    for name, method, url, operation in operations(described, world):
        named = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
        for value in values if named else ():
            if asked(client, method, f"{url}?" + "&".join(f"{one}={value}" for one in named)) >= 500:
                wrong.append(f"{name}: {value[:20]}")
        for value in (HUGE, str(2**70), "a%00b", "0"):
            parts = [value if part.isdigit() else part for part in url.split("/")]
            if "/".join(parts) != url and asked(client, method, "/".join(parts)) >= 500:
                wrong.append(f"{name} at {value[:20]}")
    assert not wrong, "\n".join(wrong)
