"""The types of the client's answers, as TypedDicts, made of the API's OpenAPI description."""

import json
import keyword
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from foundation.project import ROOT

FILE = ROOT / "client/restyle/types.py"
ROOTS = (
    "Me", "Study", "System", "Output", "Sentence", "Direction", "CampaignShape", "ProgressInFull", "Brought",
    "MetricRun", "ChosenMetrics", "Job", "TransferRun", "Applied", "HumanStudyShape", "ReleaseShape", "Exhibit",
    "TrainedModelEnum", "PublicationShape",
)  # fmt: skip
"""The answers that the client reads; those within them come along."""
HEAD = '''"""The answers of the API, made by `python -m tools.client` of its OpenAPI description: change that one."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
'''
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]"}


def types_of(schema: Mapping[str, Any]) -> str:
    """The module of types."""
    shapes = schema["components"]["schemas"]
    return "\n\n".join([HEAD, *(_typed(name, shapes[name]) for name in _reached(shapes))])


def write_types() -> Path:
    FILE.write_text(formed(types_of(current_schema())), encoding="utf-8")
    return FILE


def current_schema() -> dict[str, Any]:
    """The description as this code has it, in English."""
    from config.api.schema import JSON, write_schema

    found: dict[str, Any] = json.loads(write_schema(JSON, "en"))
    return found


def formed(source: str) -> str:
    line = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(FILE), "-"]
    return subprocess.run(line, input=source, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def _reached(shapes: Mapping[str, Any]) -> list[str]:
    """The roots and all that stands within them, sorted."""
    found, waiting = set(), list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(shapes[name])
    return sorted(found)


def _references(shape: Any) -> Iterator[str]:
    if isinstance(shape, Mapping):
        if "$ref" in shape:
            yield shape["$ref"].rpartition("/")[2]
        for inner in shape.values():
            yield from _references(inner)
    elif isinstance(shape, list):
        for inner in shape:
            yield from _references(inner)


def _typed(name: str, shape: Mapping[str, Any]) -> str:
    if "properties" not in shape:
        return f"{name} = {_kind(shape)}"
    required = shape.get("required", [])
    lines = [f"class {name}(TypedDict):"]
    if said := " ".join(str(shape.get("description", "")).split()):
        lines += [f'    """{said}"""', ""]
    for field, about in shape["properties"].items():
        kind = _kind(about)
        lines.append(f"    {field}: {kind if field in required else f'NotRequired[{kind}]'}")
        if keyword.iskeyword(field):
            raise ValueError(f"{name}.{field} cannot be a field of a class")
    return "\n".join(lines)


def _kind(shape: Mapping[str, Any]) -> str:
    kind = _bare(shape)
    return f"{kind} | None" if shape.get("nullable") and kind != "Any" else kind


def _bare(shape: Mapping[str, Any]) -> str:
    inner = shape.get("$ref") or next((one["$ref"] for one in shape.get("allOf", []) if "$ref" in one), None)
    if inner:
        return str(inner.rpartition("/")[2])
    if "enum" in shape:
        return f"Literal[{', '.join(repr(one) for one in shape['enum'])}]"
    if shape.get("type") == "array":
        return f"list[{_kind(shape['items'])}]"
    if isinstance(shape.get("additionalProperties"), Mapping) and shape["additionalProperties"]:
        return f"dict[str, {_kind(shape['additionalProperties'])}]"
    return PLAIN.get(shape.get("type", ""), "Any")
