"""What a request costs in numbers that no machine changes: statements, rows that the database reads, bytes, template
nodes, and the files that its page asks for."""

import posixpath
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import orjson
from django.core.files.storage import FileSystemStorage
from django.db import connection, transaction
from django.template.base import Node

from config.templating.static_files import IMPORTED, JoinedFiles

BUDGETS = tomllib.loads((Path(__file__).parents[1] / "budgets.toml").read_text())
FILE = re.compile(r'<(?:script|link|img)\b[^>]*\b(?:src|href)="(/[^"]+)"')
COLLECTED = JoinedFiles(FileSystemStorage(Path(__file__).parents[2] / "platform" / "config" / "static"))
READS = ("Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan", "Tid Scan")
EXPLAINED = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b", re.IGNORECASE)


@dataclass
class Plans:
    """What the statements of a block read; `rows` come out of tables and indexes, filtered ones too."""

    statements: list[str] = field(default_factory=list)
    read: list[tuple[int, str]] = field(default_factory=list)  # the rows of each statement
    rows: int = 0
    buffers: int = 0


@dataclass
class Costs:
    statements: int
    rows: int
    bytes: int
    nodes: int
    requests: int


@contextmanager
def explained(*, by_index: bool = False) -> Iterator[Plans]:
    """Each statement is run twice: first to be explained, which is taken back.

    `by_index`: small tables, which PostgreSQL reads whole or not as it knows how small they are, are read by an index.
    """
    plans = Plans()

    def run(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if not many and EXPLAINED.match(str(sql)):
            plans.statements.append(str(sql))
            with transaction.atomic(), connection.connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
                (plan,) = _json(cursor.fetchone()[0])
                plans.buffers += plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]
                plans.rows += (rows := _rows(plan["Plan"]))
                plans.read.append((rows, str(sql)))
                transaction.set_rollback(True)
        return execute(sql, params, many, context)

    with transaction.atomic(), connection.execute_wrapper(run):
        with connection.connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL enable_seqscan = {'off' if by_index else 'on'}")
        yield plans


def cost_of(ask: Any) -> Costs:
    """What the request costs that `ask` makes by a client of Django's; the second time, when what is kept is kept."""
    drawn = 0
    render = Node.render_annotated

    def counted(node: Node, context: Any) -> Any:
        nonlocal drawn
        drawn += 1
        return render(node, context)

    Node.render_annotated = counted  # type: ignore[method-assign]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # plans hang on what the database has counted
    try:
        with explained(by_index=True) as plans:
            answer = ask()
    finally:
        Node.render_annotated = render  # type: ignore[method-assign]
    assert answer.status_code == 200, answer.content[:500]
    files = set().union(*map(with_imports, FILE.findall(answer.content.decode())))
    return Costs(len(plans.statements), plans.rows, len(answer.content), drawn, 1 + len(files))


@cache
def with_imports(address: str) -> frozenset[str]:
    """The file and, where it is a script of ours, those that a browser fetches for what it imports once collected."""
    path = PurePosixPath(address)
    if path.suffix != ".js" or not address.startswith("/static/restyle/"):
        return frozenset([address])
    with COLLECTED.open(address.removeprefix("/static/")) as file:
        imported = [found["url"] for found in IMPORTED.finditer(file.read().decode())]
    return frozenset([address]).union(*(with_imports(posixpath.normpath(path.parent / url)) for url in imported))


def over_budget(page: str, costs: Costs) -> list[str]:
    """A sentence for each number that is above its budget."""
    budget = BUDGETS[page]
    assert budget.keys() == asdict(costs).keys(), page
    return [
        f"{page}: {spent} {name}, and the budget is {budget[name]}"
        for name, spent in asdict(costs).items()
        if spent > budget[name]
    ]


def _rows(plan: dict[str, Any]) -> int:
    own = 0
    if plan["Node Type"] in READS:
        own = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    return round(own * plan["Actual Loops"]) + sum(_rows(inner) for inner in plan.get("Plans", ()))


def _json(value: Any) -> Any:
    return orjson.loads(value) if isinstance(value, str | bytes) else value
