"""Sentences that plain rooms say and reports store: why a number is lacking, and the notes of tables.

These rooms import no Django and mark no messages. A page finds the message of a stored sentence again
(jobs/stored_sentences.py), so each text that reads as a sentence is one; a place of an f-string is named after
its variable.
"""

import ast
import re
from collections.abc import Iterator
from typing import Final

ROOMS: Final = (
    "evaluation/comparability/", "evaluation/contrast_set.py", "evaluation/reporting/", "evaluation/statistics/",
    "evaluation/table_building.py", "evaluation/table_parts/", "evaluation/tables/",
    *(f"evaluation/{name}.py" for name in (
        "corpus_statistics", "correlation", "interrater_agreement", "ranking_models",
        "rater_labels", "resampling", "significance", "snapshot", "text_examples",
    )),
)  # fmt: skip
SENTENCE: Final = re.compile(r"[A-Z{*0-9'][^\n]*\S\.")
PLACE: Final = re.compile(r"\{[^{}]*\}")
TELLING: Final = 12  # characters beside its places, as many as a page asks for


def stored_sentences(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Each sentence with its line."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Raise() | ast.Expr(value=ast.Constant()):
                continue  # for who writes code, not for readers
            case ast.Constant(value=str(text)):
                forms = [text]
            case ast.JoinedStr(values=parts):
                forms = _with_places(parts)
            case _:
                yield from stored_sentences(node)
                continue
        yield from ((said, node.lineno) for said in forms if _tells(said))


def _tells(said: str) -> bool:
    """Whether it is a sentence that is told apart from others, and no name of authors."""
    return (
        " " in said
        and bool(SENTENCE.fullmatch(said))
        and len(PLACE.sub("", said)) > TELLING
        and not said.endswith("et al.")
    )


def _with_places(parts: list[ast.expr]) -> list[str]:
    """The text of an f-string; both where a place is one of two texts, such as an 's' behind one of several."""
    forms = [""]
    for part in parts:
        match part:
            case ast.FormattedValue(
                value=ast.IfExp(
                    body=ast.Constant() | ast.JoinedStr() as one, orelse=ast.Constant() | ast.JoinedStr() as other
                )
            ):
                words = [*_with_places([one]), *_with_places([other])]
                forms = [said + word for said in forms for word in words]
            case ast.FormattedValue(value=value):
                forms = [said + _place(_name(value), said) for said in forms]
            case ast.JoinedStr(values=inner):
                forms = [said + word for said in forms for word in _with_places(inner)]
            case ast.Constant(value=text):
                forms = [said + str(text) for said in forms]
    return forms


def _place(name: str, before: str) -> str:
    """The place of a variable, with a number where it has one already."""
    again = len(re.findall(rf"\{{{re.escape(name)}\d*\}}", before)) + 1
    return f"{{{name}{again if again > 1 else ''}}}"


def _name(value: ast.expr) -> str:
    """The name of a place: that of a variable, an attribute or a key; `n` for a length."""
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name.lower()
        case ast.Call(func=ast.Name(id="len")):
            return "n"
        case ast.Call(func=ast.Attribute(attr="join"), args=[inner, *_]) if isinstance(inner, ast.Name):
            return inner.id
    return "value"
