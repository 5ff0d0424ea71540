"""Messages of Python modules: arguments of gettext's functions, sentences of errors, labels of registry entries.

Plain folders know no gettext. Their labels are translated where a page shows them (`{% translate metric.label %}`), so
they are found by the names they are given to: `label="..."`, `about = "..."`.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from message_catalogs.messages import Message

GETTEXT: Final = {
    "_", "_l", "_t", "_now", "gettext", "gettext_lazy", "gettext_noop", "translatable", "translate", "translated",
    "Note", "UserError",
}  # fmt: skip
"""The functions, and errors, whose first argument is a message."""
NGETTEXT: Final = {"ngettext", "ngettext_lazy"}
PGETTEXT: Final = {"pgettext", "pgettext_lazy"}
LABELS: Final = {"label", "title", "about", "help", "verb", "unit", "makes", "idle", "sentence", "TITLE", "LABELS"}
"""What registry entries call the words that pages show."""
KEY: Final = re.compile(r"[a-z]+(_[a-z]+)*|[a-z]+:.*")
"""A key or an address that stands under such a name, and is no word for people."""
POSITIONS: Final[Mapping[str, tuple[int, ...]]] = {
    "Aspect": (0,),
    "DocumentFormat": (0, 1),
    "GoldFormat": (0, 1),
    "JudgementFormat": (0, 1),
    "Level": (1,),
    "Meaning": (1,),
    "PlanTemplate": (0,),
    "Preset": (0,),
    "Renderer": (0,),
    "RewriteFormat": (0, 1),
    "RuleField": (2, 3),
    "Stage": (1,),
    "option": (1,),
}
"""Calls that take such words without a name, and which of their arguments these are."""


def module_messages(source: str, path: str) -> Iterator[Message]:
    """The messages of a module's source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _of_call(node, path)
        yield from (Message(text, place=(path, line)) for text, line in _labels(node))


def read_module(path: Path, root: Path) -> list[Message]:
    return list(module_messages(path.read_text(encoding="utf-8"), str(path.relative_to(root))))


def _of_call(call: ast.Call, path: str) -> Iterator[Message]:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    texts = [_text(argument) for argument in call.args[:2]]
    if name in GETTEXT:
        for text in _texts(call.args[0]) if call.args else ():
            yield Message(text, place=(path, call.lineno))
    elif name in NGETTEXT and len(texts) == 2 and all(texts):
        yield Message(texts[0], texts[1], place=(path, call.lineno))
    elif name in PGETTEXT and len(texts) == 2:
        yield Message(texts[1], context=texts[0], place=(path, call.lineno))


def _labels(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Words given to one of the names, or in a place that a call has for them."""
    values: list[ast.expr] = []
    match node:
        case ast.keyword(arg=str(name), value=value) if name in LABELS:
            values = [value]
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in LABELS:
            values = [value]
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name in LABELS:
            values = [value]
        case ast.Call(func=ast.Name(id=name), args=args) if name in POSITIONS:
            values = [args[place] for place in POSITIONS[name] if place < len(args)]
    for value in values:
        yield from ((text, value.lineno) for text in _texts(value) if not KEY.fullmatch(text))


def _texts(value: ast.expr) -> Iterator[str]:
    """The texts that an expression may have: itself, either side of a condition, each of a tuple."""
    match value:
        case ast.Constant(value=str(text)) if text.strip():
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one)
            yield from _texts(other)
        case ast.Tuple(elts=several) | ast.List(elts=several):
            for one in several:
                yield from _texts(one)
        case ast.BoolOp(values=several):
            for one in several:
                yield from _texts(one)


def _text(value: ast.expr) -> str:
    return next(_texts(value), "")
