"""All messages of the project, each once, with the places in which it stands."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard

from babel.messages import Catalog
from django.utils.translation.template import templatize

from foundation.key_labels import METRIC_SETTING, OPTION_NAME, OPTION_VALUE, OPTION_VALUES, label_of_key
from foundation.project import ROOT
from tools.message_catalogs.stored_sentences import ROOMS as STORING_ROOMS
from tools.message_catalogs.stored_sentences import stored_sentences


class Message(NamedTuple):
    """`plural` is "" where the sentence has one form; `context` tells two meanings of the same words apart."""

    singular: str
    plural: str = ""
    context: str = ""
    place: tuple[str, int] = ("", 0)

    @property
    def id(self) -> str | tuple[str, str]:
        """As Babel names it: one sentence, or the two of a number."""
        return (self.singular, self.plural) if self.plural else self.singular


GETTEXT: Final = {
    "_", "_l", "_t", "_now", "gettext", "gettext_lazy", "gettext_noop", "translatable", "translate", "translated",
    "Note", "ServiceError", "UserError",
}  # fmt: skip
"""The functions, and errors, whose first argument is a message."""
NGETTEXT: Final = {"ngettext", "ngettext_lazy"}
PGETTEXT: Final = {"pgettext", "pgettext_lazy"}
LABELS: Final = {
    "label", "title", "about", "because", "help", "verb", "unit", "makes", "idle", "sentence", "TITLE", "LABELS",
}  # fmt: skip
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
    "declared": (1,),
    "option": (1,),
}
"""Calls that take such words without a name, and which of their arguments these are."""
MODELS_ROOM: Final = "modelserving/"
"""The room whose options have names for labels."""


def module_messages(source: str, path: str) -> Iterator[Message]:
    """The messages of a module's source."""
    tree = ast.parse(source)
    nodes = _nodes_of(tree)
    if path.startswith(MODELS_ROOM) and "/actions/" not in path:
        yield from _names_of_options(nodes, path)
    named = any(_is_of_a_name(node) for node in nodes)  # else no function is looked through for what its names hold
    if path.startswith(STORING_ROOMS):
        yield from (Message(text, place=(path, line)) for text, line in stored_sentences(tree))
    for node in nodes:
        if named and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _chosen(node, tree, path)
        if isinstance(node, ast.Call):
            yield from _of_call(node, path)
            yield from (Message(text, place=(path, node.lineno)) for text in _constant(node, tree))
        if isinstance(node, ast.ClassDef) and any(
            isinstance(base, ast.Name) and base.id in GETTEXT for base in node.bases
        ):
            yield from _of_error(node, path)
        yield from (Message(text, place=(path, line)) for text, line in _labels(node))


def _nodes_of(tree: ast.AST) -> list[ast.AST]:
    """All nodes in the order of `ast.walk`, in half of its time."""
    nodes = [tree]
    for node in nodes:  # which grows meanwhile
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                nodes += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                nodes.append(value)
    return nodes


def read_module(path: Path, root: Path) -> list[Message]:
    return list(module_messages(path.read_text(encoding="utf-8"), str(path.relative_to(root))))


def _of_call(call: ast.Call, path: str) -> Iterator[Message]:
    name = _name_of(call)
    texts = [_text(argument) for argument in call.args[:2]]
    if name in GETTEXT:
        for text in _texts(call.args[0]) if call.args else ():
            yield Message(text, place=(path, call.lineno))
    elif name in NGETTEXT and len(texts) == 2 and all(texts):
        yield Message(texts[0], texts[1], place=(path, call.lineno))
    elif name in PGETTEXT and len(texts) == 2:
        yield Message(texts[1], context=texts[0], place=(path, call.lineno))


def _chosen(function: ast.AST, tree: ast.Module, path: str) -> Iterator[Message]:
    """The sentences of which a function chooses one before it makes an error of it: `UserError(said)`.

    They stand where the name is bound, as texts or in a dictionary of the module's: `said = SAID.get(status, "...")`.
    """
    nodes = _nodes_of(function)
    names = {node.args[0].id for node in nodes if _is_of_a_name(node)}
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ) if name in names:
                yield from (Message(text, place=(path, node.lineno)) for text in _looked_up(value, tree))


def _looked_up(value: ast.expr, tree: ast.Module) -> Iterator[str]:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[_, *otherwise]):
            yield from _named(name, tree)
            yield from (text for one in otherwise for text in _texts(one))
        case ast.Subscript(value=ast.Name(id=name)):
            yield from _named(name, tree)
        case _:
            yield from _texts(value)


def _names_of_options(nodes: list[ast.AST], path: str) -> Iterator[Message]:
    """The words that a form makes of the name of an option without a label: `rate: float = option(0.1, "...")`."""
    for node in nodes:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=ast.Name(id="option"), keywords=more)):
                given = {one.arg: one.value for one in more}
                if "label" not in given:
                    called = given.get("called")
                    name = str(called.value) if isinstance(called, ast.Constant) else name
                    yield Message(label_of_key(name), context=OPTION_NAME, place=(path, node.lineno))


def _is_of_a_name(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether it makes a message of what a name holds."""
    return (
        isinstance(node, ast.Call)
        and bool(node.args)
        and isinstance(node.args[0], ast.Name)
        and _name_of(node) in GETTEXT
    )


def _name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _constant(call: ast.Call, tree: ast.Module) -> Iterator[str]:
    """The text that the first argument of such a call names, as in `UserError(ARCHIVED)`."""
    match call:
        case ast.Call(func=ast.Name(id=function), args=[ast.Name(id=name), *_]) if (
            function in GETTEXT and name.isupper()
        ):
            yield from _named(name, tree)


def _named(name: str, tree: ast.Module) -> Iterator[str]:
    """The text of a module's constant; an imported one is read where it stands."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=one)], value=value) if one == name:
                several = value.values if isinstance(value, ast.Dict) else [value]
                yield from (text for part in several for text in _texts(part))
            case ast.ImportFrom(module=str(module), names=names) if any(one.name == name for one in names):
                for folder in (ROOT, ROOT / "platform"):
                    file = folder.joinpath(*module.split(".")).with_suffix(".py")
                    if file.is_file():
                        yield from _named(name, _parsed(file))


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _of_error(error: ast.ClassDef, path: str) -> Iterator[Message]:
    """The message that a class of errors passes to `super().__init__`."""
    for call in ast.walk(error):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"), args=[first, *_]
            ):
                yield from (Message(text, place=(path, call.lineno)) for text in _texts(first))


def _labels(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Words given to one of the names, or in a place that a call has for them."""
    values: list[ast.expr] = []
    match node:
        case ast.keyword(arg=str(name), value=value) if name in LABELS:
            values = [value]
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in LABELS or name.endswith("_TITLE"):
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


MODELS = Path("modelserving", "transfer")


def entry_messages() -> Iterator[Message]:
    """Labels of settings (of work, quality checks, metrics), aspects, roles and stages; models' first lines."""
    from accounts.permissions import Role
    from annotation.quality import CHECKS
    from annotation.shipped_texts import shipped_texts
    from annotation.study_templates import TEMPLATES
    from annotation.task_types import TASK_TYPES
    from corpora.knowledge.identifiers import KINDS
    from evaluation.metrics import METRICS
    from evaluation.table_parts.head_words import CELLS, COLUMN_HEAD, HEADS, KEYS
    from foundation.aspects import ASPECTS

    for folder, registry in (("annotation/task_types", TASK_TYPES), ("annotation/quality", CHECKS)):
        for name, entry in registry.own().items():
            yield from _of_settings(entry, f"{folder}/{name}.py")
    for name, metric in METRICS.own().items():
        for key in metric.defaults:
            yield Message(label_of_key(key), context=METRIC_SETTING, place=(f"evaluation/metrics/{name}.py", 0))
    for value in sorted(OPTION_VALUES):
        yield Message(label_of_key(value), context=OPTION_VALUE, place=("foundation/key_labels.py", 0))
    for words in sorted({*HEADS, *CELLS, *map(label_of_key, KEYS)}):
        yield Message(words, context=COLUMN_HEAD, place=("evaluation/table_parts/head_words.py", 0))
    for aspect in ASPECTS:
        yield from (Message(text, place=("foundation/aspects.py", 0)) for text in (aspect, aspect.capitalize()))
    yield from (Message(text, place=("annotation/shipped_texts.py", 0)) for text in sorted(shipped_texts()))
    yield from (Message(label_of_key(role), place=("accounts/permissions", 0)) for role in Role)
    yield from (Message(kind, place=("corpora/knowledge/identifiers.py", 0)) for kind in KINDS)
    for name, template in TEMPLATES.own().items():
        place = (f"annotation/study_templates/{name}.py", 0)
        yield from (Message(stage.title, place=place) for stage in template.stages)
    yield from _of_models()


def _of_settings(entry: Any, file: str) -> Iterator[Message]:
    for key in entry.defaults:
        yield Message(label_of_key(key), place=(file, 0))
        for choice in getattr(entry, "choices", {}).get(key, ()):
            if choice:
                yield Message(label_of_key(choice), place=(file, 0))


def _of_models() -> Iterator[Message]:
    for file in sorted((ROOT / MODELS).glob("[!_]*.py")):
        about = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]
        yield Message(about, place=(str(MODELS / file.name), 1))


CALL = re.compile(r" (n?p?gettext|_)\(")


def template_messages(source: str, path: str) -> Iterator[Message]:
    """The messages of a template's source."""
    code = templatize(source, origin=path)
    for found in CALL.finditer(code):
        arguments = _arguments(code[found.start() + 1 :])
        line = code.count("\n", 0, found.start()) + 1
        context = arguments.pop(0) if "p" in found[1].removesuffix("gettext") else ""
        yield Message(arguments[0], arguments[1] if found[1][0] == "n" else "", context, (path, line))


def read_template(path: Path, root: Path) -> list[Message]:
    return list(template_messages(path.read_text(encoding="utf-8"), str(path.relative_to(root))))


def _arguments(code: str) -> list[str]:
    """The texts that the call at the beginning of the code is given."""
    end = code.index(")")
    while True:
        try:
            call = ast.parse(code[: end + 1], mode="eval").body
        except SyntaxError:
            end = code.index(")", end + 1)
        else:
            return [one.value for one in getattr(call, "args", []) if isinstance(getattr(one, "value", None), str)]


ROOMS = ("annotation", "evaluation", "modelserving", "platform")
NOT_READ = {"backup", "commands", "embedded", "launcher", "migrations"}
"""Folders whose sentences stand in a terminal or a log alone; those are English."""


def project_messages() -> Iterator[Message]:
    """The messages in the order of their files."""
    modules = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    for path in modules:
        if not NOT_READ.intersection(path.relative_to(ROOT).parts):
            yield from read_module(path, ROOT)
    for path in templates():
        yield from read_template(path, ROOT)
    yield from entry_messages()


def templates() -> list[Path]:
    return sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"})


def project_catalog() -> Catalog:
    """The messages without translations, from which each language's catalog is brought up to date."""
    catalog = Catalog(project="Restyle", charset="utf-8", fuzzy=False)
    for message in project_messages():
        catalog.add(message.id, context=message.context or None, locations=[message.place])
    return catalog
