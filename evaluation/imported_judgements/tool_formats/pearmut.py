"""Pearmut: what its server keeps of each answer, JSON lines: a page of items with the texts and scores of each model.

A row is a page, whose items count from 1: `item.1.src`, `item.1.tgt.MODEL`, `annotation.1.MODEL.score`. A slider of
one's own is a criterion of its name. Marks of errors come in with the text that they are of.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from annotation.marked_texts import Mark, listed_marks
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import NO_SPANS, Cells, ToolFormat

TEXT = re.compile(r"^item\.(?P<item>\d+)\.(?P<field>src|item_id|tgt\.(?P<model>.+))$")
SCORE = re.compile(r"^annotation\.(?P<item>\d+)\.(?P<model>.+)\.score(?:\.(?P<slider>[^.]+))?$")
MARKED = re.compile(r"^annotation\.(?P<item>\d+)\.(?P<model>.+)\.error_spans$")
MOMENT = re.compile(r"^actions\.\d+\.time$")
OURS = re.compile(r"^(?:item|annotation|actions|validations?|comments?|info)(?:\.|$)|^(?:item_i|start_time|end_time)$")
PAUSE = 60  # seconds; Pearmut counts a longer one as that


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    names = set(columns)
    return "user_id" in names and "item.1.src" in names and any(map(SCORE.match, columns))


def _first(columns: Collection[str]) -> dict[str, str]:
    """The first column of each model's texts, by model: those of a page's other items stand in its place in turn."""
    found: dict[str, str] = {}
    for column in columns:
        if (match := TEXT.match(column)) and match["model"]:
            found.setdefault(match["model"], column)
    return found


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    texts = {column: f"output: #{place}" for place, column in enumerate(_first(columns).values(), 1)}
    return {"user_id": "rater", "item.1.src": "source"} | texts


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    first = _first(cells)
    places = {model: place for place, model in enumerate(first, 1)}
    items: dict[str, dict[str, str]] = {}
    ratings: dict[str, list[tuple[str, int, str]]] = {}
    spans: dict[tuple[str, str], str] = {}
    asks = False
    for column, cell in cells.items():
        if match := MARKED.match(column):
            asks = True
            spans[match["item"], match["model"]] = cell
        elif cell and (match := TEXT.match(column)):
            items.setdefault(match["item"], {})[match["field"]] = cell
        elif cell and (match := SCORE.match(column)) and match["model"] in places:
            ratings.setdefault(match["item"], []).append((match["slider"] or "score", places[match["model"]], cell))
    seconds = _seconds(cells)
    for item, texts in items.items():
        shown = {column: texts.get(f"tgt.{model}", "") for model, column in first.items()}
        own = {**cells, "item.1.src": texts.get("src", ""), **shown}
        time = f"{seconds / len(items):g}" if seconds else ""
        marks, why = list[tuple[int, Sequence[Mark]]](), ""
        for model, place in places.items() if asks else ():
            if f"tgt.{model}" not in texts:
                continue
            try:
                told = listed_marks(spans.get((item, model), ""), texts[f"tgt.{model}"], inclusive=True)
            except (ValueError, KeyError, TypeError):
                why = NO_SPANS
            else:
                marks.append((place, told))
        yield UnfoldedRow(own, seconds=time, ratings=ratings.get(item, ()), marks=marks, unusable=why)


def _seconds(cells: Cells) -> float:
    """The time at a page as Pearmut counts it: the sum of the times between acts, each at most a minute."""
    try:
        moments = sorted(float(cell) for column, cell in cells.items() if cell and MOMENT.match(column))
    except ValueError:
        return 0.0
    return sum(min(after - before, PAUSE) for before, after in pairwise(moments))


TOOL_FORMAT = ToolFormat(
    "Pearmut", "The answers that its server keeps, as JSON lines.", "https://github.com/zouharvi/pearmut",
    fits, guess, unfold, finds_ratings=True, reads=lambda column: bool(OURS.match(column)),
)  # fmt: skip
