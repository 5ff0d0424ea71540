"""Every regular expression of the house, found by reading its source: nobody has to list a new one.

A pattern that is put together of names that only exist while a function runs cannot be read so: it needs a row in
`BUILT`, with patterns as they may turn out.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

from evaluation import readability
from launcher import bootstrap
from modelserving.formality_rules import informal_to_formal
from modelserving.prompting import cleaning

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("platform", "annotation", "evaluation", "modelserving")
SCRIPTS = ROOT / "platform/config/static/restyle/js"
CALLS = {"compile", "sub", "subn", "search", "match", "fullmatch", "split", "findall", "finditer"}
WAYS = CALLS - {"compile"}

# What a call puts together from names that only exist while it runs: (file, function) -> as it may turn out.
BUILT: dict[tuple[str, str], list[str]] = {
    ("platform/accounts/privacy.py", "_erase_json"): [r"(?<!\w)(?:ann\s+lee|ann)(?!\w)"],
    ("platform/corpora/table_parser/quoting.py", "_between_others"): [r'(?:^|,) *"(?>(?:[^"]++|"")*)" *(?=,|[\r\n]*$)'],
    ("platform/launcher/bootstrap.py", "explain"): [pattern for pattern, _ in bootstrap.REASONS],
    ("platform/foundation/text_keys.py", "_passed_over"): [r"[\U00000000-\U00000020\U00000028-\U00000029]+"],
    ("evaluation/readability.py", ""): [one.pattern for one in (*readability.APART, *readability.SILENT)],
    ("modelserving/formality_rules/informal_to_formal.py", "no_shouting"): [r"(?<![\w'.])OK(?![\w']|\.\w)"],
    ("modelserving/formality_rules/word_lists.py", "pattern"): [
        one.pattern for one in (informal_to_formal.EXPANDED, informal_to_formal.NAME)
    ],
    ("modelserving/lexical_simplification/word_pieces.py", "_stands"): [r"(?<!\w)heart\ attack(?!\w)"],
    ("modelserving/prompting/cleaning.py", "_without_opening"): [
        cleaning.LABEL.format(words="rewrite|formal") + cleaning.LABEL_END
    ],
    ("modelserving/transfer/dictionary.py", "_standing"): [r"(?<!\w)(?:heart attack|heart)(?!\w)"],
}


@dataclass(frozen=True)
class Found:
    """A pattern, where it stands, and how it is used: `match` and `fullmatch` begin at one place, others at each."""

    where: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]


def found() -> Iterator[Found]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "import re\n" in text or "import re " in text:
                yield from in_module(path, ast.parse(text))
    yield from in_scripts()


def in_module(path: Path, tree: ast.Module) -> Iterator[Found]:
    name = str(path.relative_to(ROOT))
    for function, call, target in calls(tree, ""):
        ways = {call.func.attr}
        if ways == {"compile"}:
            ways = ways_of(target.id, path) if isinstance(target, ast.Name) else WAYS
        for pattern in patterns(name, function, call):
            yield Found(f"{name}:{call.lineno}", pattern, frozenset(ways))


def calls(tree: ast.AST, function: str) -> Iterator[tuple[str, ast.Call, ast.AST | None]]:
    """Calls of `re`, with the function that each stands in ('' outside) and what it is assigned to."""
    waiting: list[tuple[ast.AST, str, ast.AST | None]] = [(tree, function, None)]
    for node, within, target in waiting:
        if is_call(node):
            yield within, node, target
        inside = node.name if isinstance(node, ast.FunctionDef) else within
        for child in ast.iter_child_nodes(node):
            waiting.append((child, inside, node.targets[0] if isinstance(node, ast.Assign) else None))


def is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in CALLS
    )


def patterns(name: str, function: str, call: ast.Call) -> list[re.Pattern[Any]]:
    """What the call compiles; its module is imported only where the pattern is made of the module's names."""
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2)  # where flags stand
    given = ast.Call(ast.Name("compile", ast.Load()), [call.args[0], *call.args[at : at + 1]], [])
    given.keywords = [keyword for keyword in call.keywords if keyword.arg == "flags"]
    code = compile(ast.fix_missing_locations(ast.Expression(given)), name, "eval")
    known: dict[str, Any] = {"compile": re.compile, "re": re}
    with suppress(NameError):
        return [eval(code, known)]  # noqa: S307 (our own source)
    try:
        module = importlib.import_module(name.removeprefix("platform/").removesuffix(".py").replace("/", "."))
        return [eval(code, vars(module) | known)]  # noqa: S307
    except NameError as error:
        if (name, function) not in BUILT:
            raise AssertionError(f"{name}:{call.lineno}: give BUILT an example of this pattern: {error}") from None
        return [re.compile(one) for one in BUILT[name, function]]


@cache
def sources() -> dict[Path, str]:
    return {one: one.read_text(encoding="utf-8") for room in ROOMS for one in (ROOT / room).rglob("*.py")}


@cache
def near(path: Path) -> list[str]:
    """The texts of a module and of those that name it."""
    return [text for one, text in sources().items() if one == path or path.stem in text]


def ways_of(name: str, path: Path) -> set[str]:
    """How the pattern of this name in this module is used, there or elsewhere; every way where that cannot be told."""
    texts = [text for text in near(path) if name in text]
    used = {way for text in texts for way in re.findall(rf"(?<!\w){name}\.(\w+)", text)} & WAYS
    bare = rf"(?<![\w\"']){name}(?![\w\"']|\.\w|\s*=[^=]|:)"  # passed on, or in an import that gives it another name
    others = [re.sub(r"(?m)^from .* import (?!.* as ).*$", "", text) for text in texts]
    return WAYS if not used or any(re.search(bare, text) for text in others) else used


LITERAL = re.compile(
    r"(?:[=(,:?]|return|&&|\|\|)\s*/((?:[^/\\\n\[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)/([gimsuy]*)"
)


def in_scripts() -> Iterator[Found]:
    """JavaScript's, in Python's words: both engines go back over what they matched in the same way."""
    for path in sorted(SCRIPTS.rglob("*.js")):
        for literal in LITERAL.finditer(path.read_text(encoding="utf-8")):
            written, flags = literal.groups()
            words = (
                re.sub(r"\\p\{[\w=]+\}", r"\\w", written)
                .replace("[^]", r"[\s\S]")  # JavaScript's for any character
                .replace("(?<", "(?P<")
                .replace("(?P<=", "(?<=")
                .replace("(?P<!", "(?<!")
            )
            made = re.compile(words, sum((getattr(re, flag.upper()) for flag in flags if flag in "ims"), re.NOFLAG))
            yield Found(f"{path.relative_to(ROOT)}: {written}", made, frozenset({"finditer"}))
