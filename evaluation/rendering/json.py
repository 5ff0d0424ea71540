"""JSON: the cells of a table, the Vega-Lite of a figure with the data, or the report as it is."""

from collections.abc import Iterable
from typing import Any

import orjson

from evaluation.rendering._base import Json, Renderer
from evaluation.table_parts.contents import Entry, Figure, Table, content_json

OPTIONS = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def whole(report: Json, entries: Iterable[Entry]) -> str:
    return _dumped(report)


def table(content: Table, title: str) -> str:
    return _dumped({**content_json(content), "title": title})


def figure(content: Figure, title: str) -> str:
    """Any program that draws Vega-Lite draws it."""
    return _dumped(vega_lite(content, title))


def vega_lite(content: Figure, title: str) -> dict[str, Any]:
    """The specification with its data."""
    spec = {**content.spec, "title": title, "description": content.describes, "data": {"values": list(content.rows)}}
    return {**spec, "usermeta": {"notes": list(content.notes)}}


def _dumped(content: Any) -> str:
    return orjson.dumps(content, option=OPTIONS).decode()


RENDERER = Renderer("JSON", "application/json", "json", table, figure, whole)
