"""The API's description for people: the parts, requests and examples of its page, drawn from its OpenAPI schema."""

from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from config.api.schema import JSON, schema_text

METHODS = ("get", "post", "put", "patch", "delete")


def parts() -> list[dict[str, Any]]:
    """The requests by subject: `{id, title, operations}`, in the order of their addresses."""
    schema = orjson.loads(schema_text(JSON))
    shapes = schema.get("components", {}).get("schemas", {})
    found: dict[str, dict[str, Any]] = {}
    for path, methods in schema["paths"].items():
        name = _part(path)
        part = found.setdefault(name, {"id": f"part-{name}", "title": name.replace("-", " ").capitalize()})
        operations = [
            _operation(settings.PATH + path, method, methods[method], shapes) for method in METHODS if method in methods
        ]
        part.setdefault("operations", []).extend(operations)
    return list(found.values())


def _part(path: str) -> str:
    """The subject of a path: `jobs` for `/api/studies/{study}/jobs/{id}/`."""
    words = [word for word in path.removeprefix("/api/").split("/") if word]
    if words[:2] == ["studies", "{study}"] and len(words) > 2:
        return words[2]
    return words[0]


def _operation(path: str, method: str, said: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    text = said.get("description") or said.get("summary") or said["operationId"].replace("_", " ")
    query = [one["name"] for one in said.get("parameters", []) if one["in"] == "query"]
    return {"path": path, "method": method.upper(), "says": text, "query": query, "sends": _sent(said, shapes)}


def _sent(said: dict[str, Any], shapes: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of the body: `{name, required}`."""
    content = said.get("requestBody", {}).get("content", {})
    shape: dict[str, Any] = next(iter(content.values()), {}).get("schema", {})
    shape = shapes.get(shape.get("$ref", "").rpartition("/")[2], shape)
    required = shape.get("required", [])
    fields = [{"name": name, "required": name in required} for name in shape.get("properties", {})]
    return sorted(fields, key=lambda field: not field["required"])


def examples(request: HttpRequest) -> list[dict[str, str]]:
    """Commands to try: `{says, code}`."""
    api = f"{request.scheme}://{request.get_host()}/api"
    curl = 'curl -H "Authorization: Token $TOKEN"'
    one = f"{api}/studies/STUDY"
    upload = "-F name=Baseline -F direction=informal-formal -F file=@outputs.txt"
    run = '-H "Content-Type: application/json" \\\n  -d \'{"model": "rule_based_formality", "name": "Rules"}\''
    return [
        {"says": _("Your studies:"), "code": f"TOKEN=...\n{curl} {api}/studies/"},
        {"says": _("Upload the outputs of a system:"), "code": f"{curl} {upload} \\\n  {one}/systems/"},
        {"says": _("Run a model:"), "code": f"{curl} {run} \\\n  {one}/transfers/"},
        {"says": _("How far its job is:"), "code": f"{curl} {one}/jobs/"},
        {"says": _("The report, as one object:"), "code": f"{curl} {one}/report/"},
    ]
