"""The content of tables, figures and the sentences in their place, before it becomes a page, CSV, Markdown or LaTeX."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import urlencode

from evaluation.comparability.better_ends import measured, metric_named
from evaluation.imported_metrics import is_metric
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import STANDS, metric_label
from foundation.papers import Paper
from foundation.translation import translatable

if TYPE_CHECKING:  # pages need no rankings
    from evaluation.comparability.system_ranking import SystemRanking

# Cells of a table, and how numbers, intervals and p are written in them.

DASH = "–"


@dataclass  # a frozen one sets each of its ten fields by a call, and tables are made of tens of thousands
class Cell:
    """A cell: its words, the number behind them, and whether it is the best of its column.

    `small` stands under the number (an interval, n). `why` says why there is none. `parts` are numbers that come with
    it, by name; a file gives each a column of its own. `stars` mark what differs from the baseline. `rows` asks for
    the rows behind the number: what `traced` returns. `marks` are parts of the words that a reader is to see first,
    each from and to in characters, in order. A `shade` from 1 to 5 says how high its number is among those of a
    map; 0 is none.
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
    shade: int = 0

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The words in pieces, each with whether it is marked."""
        pieces, after = [], 0
        for start, end in self.marks:
            pieces += [(self.text[after:start], False), (self.text[start:end], True)]
            after = end
        return [piece for piece in [*pieces, (self.text[after:], False)] if piece[0]]

    @cached_property
    def query(self) -> str:
        """The query of the page of the rows behind the number; "" where there are none."""
        return urlencode(self.rows)


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


JUDGEMENTS = "judgements"


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, which end is the better one, and its cells from the top.

    `better` is True for the higher end, False for the lower, None for neither. The best cell is that of the `ranking`;
    without one the cells say it.
    """

    head: str
    better: bool | None
    cells: Sequence[Cell]
    ranking: "SystemRanking | None" = None

    @cached_property
    def numbers(self) -> bool:
        """Whether it holds numbers or intervals."""
        return any(cell.value is not None or cell.parts for cell in self.cells)

    @cached_property
    def parts(self) -> list[str]:
        """The names of the numbers that come with those of its cells."""
        return list(dict.fromkeys(name for cell in self.cells for name in cell.parts))

    @cached_property
    def starred(self) -> bool:
        """Whether some of its cells differ from the baseline."""
        return any(cell.stars for cell in self.cells)

    @property
    def group(self) -> str:
        """Its kind by the first cell with rows behind it: judgements, the aspect of a metric, or "" for another."""
        behind = next((cell.rows for cell in self.cells if cell.rows), {})
        if "criterion" in behind:
            return JUDGEMENTS
        name = behind.get("metric", "")
        return metric_named(name).aspect if is_metric(name.partition(" (")[0]) else ""


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

    @cached_property
    def columns(self) -> list[Column]:
        """Its columns, from the first."""
        cells = zip(*self.rows, strict=True) if self.rows else [()] * len(self.head)
        better = [*self.better, *[None] * (len(self.head) - len(self.better))]
        return [Column(*column) for column in zip(self.head, better, cells, strict=True)]


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

    @property
    def data(self) -> Table:
        """The numbers that it draws, as a table; the first note describes it."""
        head = list(self.rows[0]) if self.rows else []
        rows = [[_said(row.get(name)) for name in head] for row in self.rows]
        return Table(self.title, head, rows, [self.describes, *self.notes])


def _said(value: str | float | None) -> Cell:
    if value is None or isinstance(value, str):
        return Cell(value or "")
    return Cell(f"{value:g}", float(value))


@dataclass(frozen=True)
class MissingContent:
    """Why a study does not give this table: a sentence for each thing that it lacks."""

    title: str
    reasons: Sequence[str]


Content = Table | Figure | MissingContent


# Sentences in place of a table or a column: the parts that a study lacks for it, and the page that adds them.

NOT_JUDGED_BESIDE = translatable(
    "No row holds the {0}: open a human study in which the {0} is judged beside the systems."
)
NOT_JUDGED = translatable(
    "People have not judged {aspect}: open a human study with a criterion of it, such as one on {example}."
)
NOT_CHOSEN = translatable("Choose {metrics} on the page Choose metrics.")
NONE_CHOSEN = translatable("No metric of {aspect} is chosen: choose one on the page Choose metrics, such as {metrics}.")


def missing_content(title: str, *reasons: str) -> MissingContent:
    """In a table's place: a sentence for each thing that the study lacks, empty ones left out."""
    return MissingContent(title, [reason for reason in reasons if reason])


def no_criterion(aspect: str, example: str) -> str:
    """A sentence that people have not judged this aspect, with the scale that the paper had."""
    return NOT_JUDGED.format(aspect=aspect, example=example)


def no_metric(*names: str) -> str:
    """A sentence that none of these metrics is chosen."""
    return NOT_CHOSEN.format(metrics=_labels(names))


def no_metric_of(aspect: str) -> str:
    """A sentence that no metric of this aspect is chosen."""
    return NONE_CHOSEN.format(aspect=aspect, metrics=_labels(STANDS[aspect]))


def _labels(names: Sequence[str]) -> str:
    """'Formality, Style acc. or Transfer strength'."""
    *first, last = (METRICS[name].label if name in METRICS else name for name in names)
    return f"{', '.join(first)} or {last}" if first else last


# Tables and figures as JSON, as a report keeps them, and back.

Json = dict[str, Any]
CONTENT_TYPES: Mapping[str, type[Table] | type[Figure] | type[MissingContent]] = {
    "table": Table, "figure": Figure, "lacking": MissingContent,
}  # fmt: skip
_OF_CELLS = [field.name for field in fields(Cell) if field.name not in ("text", "value")]  # usual ones are empty


def content_json(content: Content) -> Json:
    """Its fields; of a cell only those that are not as usual."""
    serialized = {field.name: getattr(content, field.name) for field in fields(content)}
    if isinstance(content, Table):
        serialized["rows"] = [[_cell_json(cell) for cell in row] for row in content.rows]
    return serialized


def _content_of(kind: str, made: Mapping[str, Any]) -> Content:
    content_type, given = CONTENT_TYPES[kind], dict(made)
    if content_type is Table:
        given["rows"] = [[Cell(**cell) for cell in row] for row in given["rows"]]
    return content_type(**given)


def _cell_json(cell: Cell) -> Json:
    own = vars(cell)
    said: Json = {"text": own["text"]} if own["value"] is None else {"text": own["text"], "value": own["value"]}
    for name in _OF_CELLS:  # twice as quick as a second dictionary, tens of thousands of times
        if value := own[name]:
            said[name] = value
    return said


KINDS = ("study", "trust", "paper")


@dataclass(frozen=True)
class Entry:
    """A table or figure of a report, or the reasons why there is none, as the report keeps it.

    `kind` says where it stands: "study" for every study, "paper" for a paper's, "trust" for trust in metrics. `number`
    is the paper's ("Table 4").
    """

    name: str
    kind: Literal["study", "trust", "paper"]
    order: int
    number: str
    paper: Paper | None
    content: Content

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """The entry that `json` wrote."""
        paper = Paper(**stored["paper"]) if stored["paper"] else None
        content = _content_of(stored["is"], stored["made"])
        return cls(stored["name"], stored["kind"], stored["order"], stored["number"], paper, content)

    def json(self, title: str) -> Json:
        """The data with which a page lists and draws it; `title` is its usual one, whatever the study."""
        return {
            "name": self.name,
            "title": title,
            "kind": self.kind,
            "order": self.order,
            "number": self.number,
            "paper": None if self.paper is None else asdict(self.paper),
            "is": next(word for word, kind in CONTENT_TYPES.items() if isinstance(self.content, kind)),
            "made": content_json(self.content),
        }

    @property
    def title(self) -> str:
        return self.content.title

    @property
    def notes(self) -> Sequence[str]:
        return () if isinstance(self.content, MissingContent) else self.content.notes

    @property
    def full_title(self) -> str:
        """'Rao and Tetreault (2018), Table 4: Systems by people', or its title alone."""
        where = joined(f"{self.paper.authors} ({self.paper.year})" if self.paper else "", self.number)
        return f"{where}: {self.title}" if where else self.title

    @property
    def table(self) -> Table | None:
        return self.content if isinstance(self.content, Table) else None

    @property
    def figure(self) -> Figure | None:
        return self.content if isinstance(self.content, Figure) else None

    @property
    def lacking(self) -> MissingContent | None:
        return self.content if isinstance(self.content, MissingContent) else None


def in_order(stored: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Entries of every study first, then which metric to trust, then the papers', each by their order."""
    return sorted(stored.values(), key=lambda entry: (KINDS.index(entry["kind"]), entry["order"], entry["name"]))


# How the numbers of a table were computed: the signatures of its metrics, which say whose program they agree with.


def signature_notes(snapshot: StudySnapshot, names: Iterable[str]) -> list[str]:
    """A note for each metric whose settings can follow another program (`like`), with each signature that it has."""
    notes = []
    for name in names:
        if "like" in metric_named(measured(snapshot, name).name).defaults:
            scored = [of.signature for of in snapshot.scores.get(name, ()) if of is not None and of.signature]
            notes += [f"{metric_label(snapshot, name)}: {signature}" for signature in dict.fromkeys(scored)]
    return notes
