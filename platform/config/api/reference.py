"""The API's description for people: the resources, requests and examples of its page, drawn from its OpenAPI schema."""

import json
import shlex
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from config.api.schema import JSON, schema_text

METHODS = ("get", "post", "put", "patch", "delete")
FILES = "multipart/form-data"
JSON_ANSWER = "application/json"
LONGEST_EXAMPLE = 60  # characters of a value
MOST_CHOICES = 12  # that are shown


def parts(host: str = "") -> list[dict[str, Any]]:
    """The requests by resource: `{id, name, title, operations}`, in the order of their addresses.

    The examples of an operation ask the site at `host`, such as `https://restyle.example.org`.
    """
    schema = orjson.loads(schema_text(JSON))
    shapes = schema.get("components", {}).get("schemas", {})
    found: dict[str, dict[str, Any]] = {}
    for path, methods in schema["paths"].items():
        name = _part(path)
        title = name.replace("-", " ").capitalize()
        part = found.setdefault(name, {"id": f"part-{name}", "name": name, "title": title, "operations": []})
        for method in METHODS:
            if method in methods:
                operation = _operation(settings.PATH + path, method, methods, shapes, host)
                part["operations"].append({**operation, "id": f"{name}-{len(part['operations']) + 1}"})
    return list(found.values())


def _part(path: str) -> str:
    """The resource of a path: `jobs` for `/api/studies/{study}/jobs/{id}/`."""
    words = [word for word in path.removeprefix("/api/").split("/") if word]
    if words[:2] == ["studies", "{study}"] and len(words) > 2:
        return words[2]
    return words[0]


def _operation(
    path: str, method: str, methods: dict[str, Any], shapes: dict[str, Any], host: str
) -> dict[str, Any]:  # fmt: skip
    said = methods[method]
    text = said.get("description") or said.get("summary") or said["operationId"].replace("_", " ")
    given = [*methods.get("parameters", []), *said.get("parameters", [])]
    query = [_field(one["name"], one, shapes) for one in given if one["in"] == "query"]
    sends, files = _sent(said, shapes)
    url = host + _filled(path, given)
    return {
        "path": path, "method": method.upper(), "says": text, "query": query, "sends": sends, "files": files,
        "curl": _curl(method, url, sends, files=files), "python": _python(method, url, said, sends, files=files),
    }  # fmt: skip


def _sent(said: dict[str, Any], shapes: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """The fields of the body, those that are required first, and whether it is a form with files."""
    content = said.get("requestBody", {}).get("content", {})
    shape = _shape(next(iter(content.values()), {}).get("schema", {}), shapes)
    required = shape.get("required", [])
    fields = [
        {**_field(name, {"schema": one, **one}, shapes), "required": name in required}
        for name, one in shape.get("properties", {}).items()
    ]
    return sorted(fields, key=lambda field: not field["required"]), next(iter(content), "") == FILES


def _shape(shape: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """The shape that a reference, or a list of one, leads to."""
    for inner in (shape, *shape.get("allOf", [])[:1]):
        if "$ref" in inner:
            return dict(shapes.get(inner["$ref"].rpartition("/")[2], {}))
    return shape


def _field(name: str, about: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """`{name, kind, says, choices, more, value}` of a field or parameter; `value` is an example."""
    shape = _shape(about.get("schema", {}), shapes)
    items = _shape(shape.get("items", {}), shapes)
    kind = "file" if "binary" in (shape.get("format"), items.get("format")) else shape.get("type", "value")
    said, _star, _choices = (about.get("description") or shape.get("description") or "").partition("* `")
    choices = [one for one in shape.get("enum", []) if one not in ("", None)]
    return {
        "name": name, "kind": kind, "says": said.strip(), "choices": choices[:MOST_CHOICES],
        "more": max(0, len(choices) - MOST_CHOICES), "value": _example(shape, choices, items),
    }  # fmt: skip


def _example(shape: dict[str, Any], choices: list[Any], items: dict[str, Any]) -> Any:
    """A value of the shape: its default, its first choice, or the plainest one."""
    default = shape.get("default")
    if default not in (None, "") and len(str(default)) <= LONGEST_EXAMPLE:
        return default
    if choices:
        return choices[0]
    plain = {"integer": int(shape.get("minimum", 1)), "number": 1.0, "boolean": True, "object": {}}
    if items:
        return [_example(items, items.get("enum", []), {})]
    return plain.get(shape.get("type", "string"), "...")


def _filled(path: str, given: list[dict[str, Any]]) -> str:
    """The path with examples in the place of its parameters: `STUDY` for a name, 1 for a number."""
    for one in given:
        if one["in"] == "path":
            number = one.get("schema", {}).get("type") == "integer"
            path = path.replace(f"{{{one['name']}}}", "1" if number else one["name"].upper())
    return path


def _body(sends: list[dict[str, Any]]) -> dict[str, Any]:
    """The required fields; where none is, the first one."""
    return {field["name"]: field["value"] for field in sends if field["required"] or field is sends[0]}


def _curl(method: str, url: str, sends: list[dict[str, Any]], *, files: bool) -> str:
    lines = ['curl -H "Authorization: Token $TOKEN"']
    if method != "get" and not (method == "post" and sends):
        lines[0] += f" -X {method.upper()}"
    body = _body(sends)
    if files:
        kinds = {field["name"]: field["kind"] for field in sends}
        lines += [
            f"-F {name}=@{name}.txt" if kinds[name] == "file" else f"-F {shlex.quote(f'{name}={_text(value)}')}"
            for name, value in body.items()
        ]
    elif sends:
        lines += ['-H "Content-Type: application/json"', f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}"]
    return " \\\n  ".join([*lines, shlex.quote(url)])


def _python(method: str, url: str, said: dict[str, Any], sends: list[dict[str, Any]], *, files: bool) -> str:
    """A call of the client, `restyle` (docs/client.md)."""
    host, _, path = url.partition(f"{settings.PATH}/api/")
    body, given = _body(sends), [repr(path)]
    if files:
        kinds = {field["name"]: field["kind"] for field in sends}
        plain = {name: value for name, value in body.items() if kinds[name] != "file"}
        opened = {name: f"{name}.txt" for name in body if kinds[name] == "file"}
        given += [repr(plain)] * bool(plain) + [f"files={opened!r}"] * bool(opened)
    elif sends:
        given.append(repr(body))
    begun = f"import restyle\n\nclient = restyle.Client({f'{host}{settings.PATH}'!r})\n"
    return begun + _read(method, ", ".join(given), said)


def _read(method: str, given: str, said: dict[str, Any]) -> str:
    """The call, and what is done with its answer: rows of a list, a file, or one value."""
    answers = [one["content"] for code, one in said["responses"].items() if code < "3" and "content" in one]
    contents = [content for one in answers for content in one.items()]
    shapes = [about["schema"].get("$ref", "").rpartition("/")[2] for _, about in contents]
    if method == "get" and any(shape.startswith("Paginated") for shape in shapes):
        return f"for row in client.pages({given}):\n    print(row)"
    if method == "get" and contents and all(kind != JSON_ANSWER for kind, _ in contents):
        return f'client.file({given}).save("answer")'
    return f"client.delete({given})" if method == "delete" else f"print(client.{method}({given}))"


def _text(value: Any) -> str:
    """A value in a form with files, where a list is its one element."""
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, str) else json.dumps(value)


def examples(request: HttpRequest) -> list[dict[str, str]]:
    """Commands to try: `{says, code}`."""
    api = f"{request.scheme}://{request.get_host()}{settings.PATH}/api"
    curl = 'curl -H "Authorization: Token $TOKEN"'
    one = f"{api}/studies/STUDY"
    upload = "-F name=Baseline -F direction=informal-formal -F file=@outputs.txt"
    run = '-H "Content-Type: application/json" \\\n  -d \'{"model": "rule_based_formality", "name": "Rules"}\''
    client = f"pip install ./client\nrestyle login {request.scheme}://{request.get_host()}{settings.PATH}"
    table = "restyle import outputs.csv STUDY --create --style informal --style formal"
    return [
        {"says": _("With the Python client, from a table to the report:"),
         "code": f"{client}\n{table}\nrestyle report STUDY --metric bleu"},
        {"says": _("Your studies:"), "code": f"TOKEN=...\n{curl} {api}/studies/"},
        {"says": _("Upload the outputs of a system:"), "code": f"{curl} {upload} \\\n  {one}/systems/"},
        {"says": _("Run a model:"), "code": f"{curl} {run} \\\n  {one}/transfers/"},
        {"says": _("How far its job is:"), "code": f"{curl} {one}/jobs/"},
        {"says": _("The report, as one object:"), "code": f"{curl} {one}/report/"},
    ]  # fmt: skip
