"""Batch results of Amazon Mechanical Turk: a row is one worker's HIT, its cells hold lists of texts and answers.

The form is that of Li et al. (2018): `response` holds "grammaticality=5 sentiment=1 topic=5" for each output.
"""

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from corpora.formats._base import Judgement, JudgementFormat, RatingColumns
from corpora.tabular_files import complete_rows, rows
from corpora.text_files.decoding import TextFile
from foundation.errors import UserError, first_five
from foundation.papers import LI
from foundation.text_keys import text_key


@dataclass(frozen=True)
class _Hit:
    """One row, its lists apart."""

    line: int
    worker: str
    seconds: float | None
    sources: list[str]
    outputs: list[str]
    targets: list[str]
    responses: list[str]


def read(
    file: TextFile,
    columns: RatingColumns,
    values: Mapping[str, Collection[float]],
    styles: Collection[str] = (),
) -> list[Judgement]:
    """The judgements of a CSV `file` in its order; the last counts of several by one worker of one text.

    `values` gives for each declared criterion the values on its scale. With `styles`, a target style that is not
    among them is an error. A response may leave a criterion out; a criterion that no response has is an error.
    """
    last: dict[tuple[str, ...], Judgement] = {}
    for hit in _hits(file, columns):
        for judgement in _judgements(hit, values, f"{file.name}, line {hit.line}"):
            if styles and columns.target_style and judgement.target_style not in styles:
                raise _unknown("style", judgement.target_style, styles, f"{file.name}, line {hit.line}")
            key = _key(judgement)
            last.pop(key, None)
            last[key] = judgement
    absent = [name for name in values if all(judgement.criterion != name for judgement in last.values())]
    if absent:
        raise UserError("no response judges the criterion {absent}.", absent=first_five(absent), where=file.name)
    return list(last.values())


def _key(judgement: Judgement) -> tuple[str, ...]:
    text, source = text_key(judgement.output), text_key(judgement.source)
    return (judgement.worker, source, judgement.target_style, text, judgement.criterion)


def _hits(file: TextFile, columns: RatingColumns) -> Iterator[_Hit]:
    names = [columns.worker, columns.source, columns.output, columns.response, columns.target_style, columns.seconds]
    asked = tuple(name for name in names if name)
    for line, cells in complete_rows(rows(file, asked), asked, file.name):
        cell = dict(zip(asked, cells, strict=True))
        where = f"{file.name}, line {line}"
        lists = {name: cell[name].split(columns.separator) for name in asked[:4]}
        sources, outputs, responses = lists[columns.source], lists[columns.output], lists[columns.response]
        targets = _targets(cell, columns, len(outputs), where)
        _refuse_uneven({columns.source: sources, columns.output: outputs, columns.response: responses}, where)
        worker = cell[columns.worker].strip()
        if not worker:
            raise UserError("the column '{worker}' is empty.", worker=columns.worker, where=where)
        seconds = _seconds(cell[columns.seconds], len(outputs), where) if columns.seconds else None
        yield _Hit(line, worker, seconds, sources, outputs, targets, responses)


def _targets(cell: Mapping[str, str], columns: RatingColumns, count: int, where: str) -> list[str]:
    """The target style of each output: one for the whole row, or a list of them."""
    if not columns.target_style:
        return [""] * count
    targets = [target.strip() for target in cell[columns.target_style].split(columns.separator)]
    if len(targets) not in (1, count):
        raise UserError(
            "'{target_style}' has {targets_count} styles for {count} outputs; one or {count} were expected.",
            target_style=columns.target_style,
            targets_count=len(targets),
            count=count,
            where=where,
        )
    return targets * count if len(targets) == 1 else targets


def _refuse_uneven(lists: Mapping[str, list[str]], where: str) -> None:
    if len({len(entries) for entries in lists.values()}) > 1:
        counts = ", ".join(f"'{name}' {len(entries)}" for name, entries in lists.items())
        raise UserError("the lists differ in length: {counts}.", counts=counts, where=where)


def _seconds(cell: str, count: int, where: str) -> float | None:
    if not cell.strip():
        return None
    try:
        seconds = float(cell)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise UserError("a number of seconds was expected, and not '{cell}'.", cell=cell, where=where)
    return seconds / count


def _judgements(hit: _Hit, values: Mapping[str, Collection[float]], where: str) -> Iterator[Judgement]:
    for place, (source, output, target, response) in enumerate(
        zip(hit.sources, hit.outputs, hit.targets, hit.responses, strict=True), 1
    ):
        there = f"{where}, output {place}"
        if not source.strip() or not output.strip():
            raise UserError("the source or the output is empty.", where=there)
        for criterion, value in _parsed(response, values, there).items():
            yield Judgement(hit.worker, source, output, target, criterion, value, hit.seconds, hit.line)


def _parsed(response: str, values: Mapping[str, Collection[float]], where: str) -> dict[str, int]:
    """ "grammaticality=5 topic=4" as a mapping, each value on its scale."""
    parsed: dict[str, int] = {}
    for part in response.split():
        name, equals, number = part.partition("=")
        if not equals:
            raise UserError("'criterion=value' was expected, and not '{part}'.", part=part, where=where)
        if name not in values:
            raise _unknown("criterion", name, values, where)
        if name in parsed:
            raise UserError("the criterion '{name}' is judged twice.", name=name, where=where)
        parsed[name] = _value(name, number, values[name], where)
    if not parsed:
        raise UserError("the response is empty.", where=where)
    return parsed


def _value(name: str, number: str, allowed: Collection[float], where: str) -> int:
    try:
        value = int(number)
    except ValueError:
        value = None
    if value is None or value not in allowed:
        steps = [str(step) for step in sorted(allowed)]
        scale = ", ".join(steps) if len(steps) < 20 else f"{steps[0]} to {steps[-1]}"
        raise UserError(
            "'{number}' is not on the scale of '{name}' ({scale}).", number=number, name=name, scale=scale, where=where
        )
    return value


def _unknown(what: str, name: str, known: Collection[str], where: str) -> UserError:
    near = difflib.get_close_matches(name, list(known), n=3) or list(known)
    return UserError(
        "the {what} '{name}' is not declared; declared are {near}.",
        what=what,
        name=name,
        near=first_five(near),
        where=where,
    )


FORMAT = JudgementFormat(
    "Mechanical Turk batch result",
    "CSV with one row per HIT, and lists of sources, outputs and responses in its cells.",
    (".csv",),
    paper=LI,
    read=read,
)
