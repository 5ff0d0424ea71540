"""The content of tables, figures and the sentences in their place, before it becomes a page, CSV, Markdown or LaTeX."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from evaluation.comparability.better_ends import measured
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import STANDS, metric_label

# Cells of a table, and how numbers, intervals and p are written in them.

DASH = "–"


@dataclass(frozen=True)
class Cell:
    """A cell: its words, the number behind them, and whether it is the best of its column.

    `small` stands under the number (an interval, n). `why` says why there is none. `parts` are numbers that come with
    it, by name; a file gives each a column of its own. `stars` mark what differs from the baseline. `rows` asks for
    the rows behind the number: what `traced` returns. `marks` are parts of the words that a reader is to see first,
    each from and to in characters, in order.
    """

    text: str
    value: float | None = None
    best: bool = False
    small: str = ""
    why: str = ""
    parts: Mapping[str, float | None] = field(default_factory=dict)
    stars: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)
    marks: Sequence[tuple[int, int]] = ()

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The words in pieces, each with whether it is marked."""
        pieces, after = [], 0
        for start, end in self.marks:
            pieces += [(self.text[after:start], False), (self.text[start:end], True)]
            after = end
        return [piece for piece in [*pieces, (self.text[after:], False)] if piece[0]]


def traced(*, system: str = "", **more: str) -> dict[str, str]:
    """The parameters of the page of rows: a `metric` or a `criterion` (with its `variant`) of a system, maybe a group.

    A group of units is `by` (length, concepts, apart, section) from `low` to below `high`, or `section`. With `mean`
    "texts" a metric's number is the mean of its scores of texts, not that of the corpus.
    """
    return {key: value for key, value in {"system": system, **more}.items() if value}


def number(value: float | None, digits: int = 2, why: str = "", **more: Any) -> Cell:
    """A number as it is shown; a dash, with the reason behind it, where there is none."""
    if value is None:
        return Cell(DASH, None, why=why, **more)
    return Cell(f"{value:z.{digits}f}", value, **more)


def interval_text(low: float | None, high: float | None, digits: int) -> str:
    """'3.77 to 4.01', or nothing where there is no interval."""
    return "" if low is None or high is None else f"{low:z.{digits}f} to {high:z.{digits}f}"


def p_text(p: float | None) -> str:
    """'p = 0.012', 'p < 0.001', or nothing."""
    if p is None:
        return ""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def joined(*parts: str) -> str:
    """The parts that are there, with commas."""
    return ", ".join(part for part in parts if part)


def mark_best(column: Iterable[Cell], higher_is_better: bool | None) -> list[Cell]:
    """The cells of a column, its best ones marked; none where neither end is the better one."""
    cells = list(column)
    values = [cell.value for cell in cells if cell.value is not None]
    if higher_is_better is None or len(values) < 2:
        return cells
    best = max(values) if higher_is_better else min(values)
    return [replace(cell, best=cell.value == best) for cell in cells]


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head; the first column names the row.

    `better` says of each column which end is the better one: True the higher, False the lower, None neither.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = field(default_factory=tuple)
    better: Sequence[bool | None] = field(default_factory=tuple)


@dataclass(frozen=True)
class Figure:
    """A chart: a Vega-Lite `spec` without its data, and the `rows` that it draws, named values, all of the same keys.

    The words of `describes` are for people who cannot see it.
    """

    title: str
    spec: Mapping[str, Any]
    rows: Sequence[Mapping[str, str | float | None]]
    describes: str
    notes: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class MissingContent:
    """Why a study does not give this table: a sentence for each thing that it lacks."""

    title: str
    reasons: Sequence[str]


Content = Table | Figure | MissingContent


# Sentences in place of a table or a column: the parts that a study lacks for it, and the page that adds them.

NOT_JUDGED_BESIDE = "No row holds the {0}: open a human study in which the {0} is judged beside the systems."


def missing_content(title: str, *reasons: str) -> MissingContent:
    """In a table's place: a sentence for each thing that the study lacks, empty ones left out."""
    return MissingContent(title, [reason for reason in reasons if reason])


def no_criterion(aspect: str, example: str) -> str:
    """A sentence that people have not judged this aspect, with the scale that the paper had."""
    return f"People have not judged {aspect}: open a human study with a criterion of it, such as one on {example}."


def no_metric(*names: str) -> str:
    """A sentence that none of these metrics is chosen."""
    return f"Choose {_labels(names)} on the page Choose metrics."


def no_metric_of(aspect: str) -> str:
    """A sentence that no metric of this aspect is chosen."""
    return f"No metric of {aspect} is chosen: choose one on the page Choose metrics, such as {_labels(STANDS[aspect])}."


def _labels(names: Sequence[str]) -> str:
    """'Formality, Style acc. or Transfer strength'."""
    *first, last = (METRICS[name].label if name in METRICS else name for name in names)
    return f"{', '.join(first)} or {last}" if first else last


# The numbers that a figure draws, as a table.


def data_of(figure: Figure) -> Table:
    """The data of a figure, as a table; its first note describes it."""
    head = list(figure.rows[0]) if figure.rows else []
    rows = [[_said(row.get(name)) for name in head] for row in figure.rows]
    return Table(figure.title, head, rows, [figure.describes, *figure.notes])


def of_numbers(table: Table) -> list[bool]:
    """Whether each column holds numbers or intervals."""
    return [
        any(row[column].value is not None or row[column].parts for row in table.rows)
        for column in range(len(table.head))
    ]


def _said(value: str | float | None) -> Cell:
    if value is None or isinstance(value, str):
        return Cell(value or "")
    return Cell(f"{value:g}", float(value))


# Tables and figures as JSON, as a report keeps them, and back.

Json = dict[str, Any]
CONTENT_TYPES: Mapping[str, type[Table] | type[Figure] | type[MissingContent]] = {
    "table": Table, "figure": Figure, "lacking": MissingContent,
}  # fmt: skip
_USUAL = [(field.name, getattr(Cell(""), field.name)) for field in fields(Cell) if field.name != "text"]


def content_json(content: Content) -> Json:
    """Its fields; of a cell only those that are not as usual."""
    serialized = {field.name: getattr(content, field.name) for field in fields(content)}
    if isinstance(content, Table):
        serialized["rows"] = [[_cell_json(cell) for cell in row] for row in content.rows]
    return serialized


def content_of(stored: Mapping[str, Any]) -> Content:
    """The table, the figure or the reasons that `entry_json` wrote."""
    kind, given = CONTENT_TYPES[stored["is"]], dict(stored["made"])
    if kind is Table:
        given["rows"] = [[Cell(**cell) for cell in row] for row in given["rows"]]
    return kind(**given)


def _cell_json(cell: Cell) -> Json:
    given: Json = {"text": cell.text}
    for name, usual in _USUAL:
        if (value := getattr(cell, name)) != usual:
            given[name] = value
    return given


# How the numbers of a table were computed: the signatures of its metrics, which say whose program they agree with.


def signature_notes(snapshot: StudySnapshot, names: Iterable[str]) -> list[str]:
    """A note for each metric whose settings can follow another program (`like`), with each signature that it has."""
    notes = []
    for name in names:
        if "like" in METRICS[measured(snapshot, name).name].defaults:
            scored = [of.signature for of in snapshot.scores.get(name, ()) if of is not None and of.signature]
            notes += [f"{metric_label(snapshot, name)}: {signature}" for signature in dict.fromkeys(scored)]
    return notes
