"""Writes a declaration as TOML."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def toml_of(declaration: Mapping[str, Any]) -> str:
    """Tables, lists of tables, and what stands in them, in the order that they have; what is None is left out."""
    return "\n".join(_lines(declaration, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in table.items() if value is not None and not _is_table(value)}
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        inner = (*path, key)
        name = ".".join(map(_key, inner))
        if isinstance(value, Mapping):
            yield f"\n[{name}]"
            yield from _lines(value, inner)
        elif _is_table(value):
            for one in value:
                yield f"\n[[{name}]]"
                yield from _lines(one, inner)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)
    )


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("-", "").replace("_", "").isalnum() else _text(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _text(str(value))


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for the character DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
