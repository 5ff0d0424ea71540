"""The report as it is: one JSON object."""

from typing import Any

import orjson

from evaluation.rendering._base import Renderer


def render(report: dict[str, Any]) -> str:
    return orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


RENDERER = Renderer("JSON", "application/json", "json", render)
