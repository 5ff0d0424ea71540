"""What a client of the API's last release would notice in this one, by the two OpenAPI schemas.

An address is the same whatever its parts are called. What is only new is no such thing.
"""

import re
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
PART = re.compile(r"\{[^}]*\}")


def api_changes(old: Schema, new: Schema) -> list[str]:
    """Each removal and each change, in a line: "POST /api/x/{}/: the request's slot was integer, and is string"."""
    there = {PART.sub("{}", path): methods for path, methods in new["paths"].items()}
    found: dict[str, None] = {}
    for path, methods in old["paths"].items():
        address = PART.sub("{}", path)
        for method in [one for one in METHODS if one in methods]:
            where = f"{method.upper()} {address}"
            now = there.get(address, {}).get(method)
            said = _operation(methods[method], now, old, new) if now else ["is gone"]
            found |= dict.fromkeys(f"{where}: {one}" for one in said)
    return list(found)


def _operation(was: Schema, now: Schema, old: Schema, new: Schema) -> Iterator[str]:
    there = {one["name"]: one for one in now.get("parameters", []) if one["in"] == "query"}
    for one in was.get("parameters", []):
        if one["in"] == "query" and one["name"] not in there:
            yield f"the parameter {one['name']} is gone"
    for name, one in there.items():
        if one.get("required") and name not in {each["name"] for each in was.get("parameters", [])}:
            yield f"the parameter {name} is required"
    yield from _shapes("the request's", _body(was), _body(now), old, new, sent=True)
    for status, answer in was.get("responses", {}).items():
        if status.startswith("2"):
            if status not in now.get("responses", {}):
                yield f"it does not answer {status} any more"
                continue
            yield from _shapes("the answer's", _json(answer), _json(now["responses"][status]), old, new, sent=False)


def _shapes(whose: str, was: Schema, now: Schema, old: Schema, new: Schema, *, sent: bool) -> Iterator[str]:
    before, after = dict(_fields(was, old)), dict(_fields(now, new))
    for name, (kind, _) in before.items():
        if name not in after:
            yield f"{whose} {name} is gone"
        elif after[name][0] != kind:
            yield f"{whose} {name} was {kind}, and is {after[name][0]}"
    for name, (_, required) in after.items():
        if sent and required and not before.get(name, ("", False))[1]:
            yield f"{whose} {name} is required"


def _fields(shape: Schema, schema: Schema, path: str = "", depth: int = 0) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Each field with its type, and whether it is required; lists are followed into what they are of."""
    shape = _resolved(shape, schema)
    if shape.get("type") == "array":
        yield from _fields(shape.get("items", {}), schema, f"{path}[]", depth + 1)
        return
    for name, field in shape.get("properties", {}).items() if depth < 6 else ():
        one = _resolved(field, schema)
        full = f"{path}.{name}".lstrip(".")
        yield full, (_kind(one), name in shape.get("required", ()))
        yield from _fields(one, schema, full, depth + 1)


def _resolved(shape: Schema, schema: Schema) -> Schema:
    for word in ("allOf", "oneOf"):
        if len(shape.get(word, ())) >= 1:
            shape = {**shape[word][0], **{key: value for key, value in shape.items() if key == "nullable"}}
    if "$ref" in shape:
        return _resolved(schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]], schema)
    return shape


def _kind(shape: Schema) -> str:
    return str(shape.get("type", "anything"))


def _body(operation: Schema) -> Schema:
    return _json(operation.get("requestBody", {}))


def _json(told: Schema) -> Schema:
    content = told.get("content", {})
    return (content.get("application/json") or next(iter(content.values()), {})).get("schema", {})
