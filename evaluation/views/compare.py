"""Two systems compared output by output."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.option_fields import offer
from corpora.knowledge.sentences import split as split_sentences
from corpora.models import Study
from evaluation.kept_head_to_head import MeasureRow, kept_head_to_head
from evaluation.models import Report, ReportChoice
from evaluation.pair_values import PairScore, better_of
from evaluation.report_fields import SPLITS
from evaluation.shared_outputs import LENGTH_OF_OUTPUT, LENGTH_OF_SOURCE, SharedOutputs, SortedOutputs, shared_outputs
from evaluation.system_comparison import OUTCOMES, OutputPair
from evaluation.views.criterion_words import label_of_criterion
from evaluation.views.table_words import said_head, said_metric
from foundation.errors import UserError
from foundation.word_diff import Piece, is_mostly_other
from modelserving.presenters.labels import marked_changes

# Texts in pieces, folded at the borders of their sentences.

SHOWN = 320  # characters that are shown of a longer text: about eight lines of a column
Pieces = list[Piece]


@dataclass(frozen=True)
class Fold:
    """Some sentences of a text that follow each other, and how many they are; `hidden` until somebody opens them."""

    pieces: Pieces
    sentences: int
    hidden: bool


def folded(pieces: Pieces, language: str, said: Collection[str] = ()) -> list[Fold]:
    """A text as it is read beside others: of a long one the sentences with a difference, then the first ones.

    Args:
        pieces: The text with its differences marked; what is gone from it stands in it too.
        language: Of the text, whose rules say where sentences end.
        said: Sentences that the others say too, which are no difference.

    Returns:
        All of the text in order; at most about `SHOWN` characters are not hidden, or one sentence.
    """
    if sum(len(piece.text) for piece in pieces) <= SHOWN:
        return [Fold(pieces, 1, hidden=False)] if pieces else []
    sentences = _by_sentences(pieces, language or "en")
    differs = [
        any(piece.kind != "same" for piece in of) or (bool(said) and _text(of).strip() not in said) for of in sentences
    ]
    left, stays = SHOWN, set[int]()
    for place in sorted(range(len(sentences)), key=lambda place: not differs[place]):
        size = len(_text(sentences[place]))
        if not stays or size <= left:
            stays.add(place)
            left -= size
    return [
        Fold([piece for place in run for piece in sentences[place]], len(run), hidden)
        for hidden, run in (
            (hidden, list(of)) for hidden, of in groupby(range(len(sentences)), lambda at: at not in stays)
        )
    ]


def _by_sentences(pieces: Pieces, language: str) -> list[Pieces]:
    """The pieces cut where a sentence of the text ends; a piece that is gone belongs to the one that it stands in."""
    starts, at = [], 0
    text = "".join(piece.text for piece in pieces if piece.kind != "gone")
    for sentence in split_sentences(text, language):
        at = text.find(sentence, at)
        starts.append(at)
        at += len(sentence)
    cut: list[Pieces] = [[]]
    borders, at = starts[1:], 0
    for kind, rest in pieces:
        while kind != "gone" and borders and borders[0] <= at + len(rest):
            head, rest = rest[: borders[0] - at], rest[borders[0] - at :]
            at = borders.pop(0)
            cut[-1].append(Piece(kind, head))
            cut.append([])
        if kind != "gone":
            at += len(rest)
        cut[-1].append(Piece(kind, rest))
    return [[piece for piece in of if piece.text] for of in cut if any(piece.text for piece in of)]


def _text(pieces: Pieces) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != "gone")


# Two systems beside each other as a page shows them: pairs of outputs with their differences marked, and scores.

EACH_OTHER, SOURCE = AGAINST = ("other", "source")


@dataclass(frozen=True)
class ShownPair:
    """`given` is None where scores are asked for one by one; `valued` is the measure that pairs are sorted by.

    `apart` says of each output whether it has too little in common with what it is compared with: nothing is marked.
    """

    number: int
    source: Sequence[Fold]
    references: Sequence[str]
    outputs: tuple[Sequence[Fold], Sequence[Fold]]
    same: bool
    apart: tuple[bool, bool]
    given: Sequence[PairScore] | None
    valued: PairScore | None = None

    @property
    def valued_alone(self) -> list[PairScore]:
        return [self.valued] if self.valued else []

    @property
    def is_folded(self) -> bool:
        return any(fold.hidden for text in (self.source, *self.outputs) for fold in text)


@dataclass(frozen=True)
class Outcome:
    """How many sentences have an outcome, its part of them in percent, and the query of the page that lists them.

    `text` is shown, and `label` said by a screen reader.
    """

    name: str
    text: str
    label: str
    share: float
    start: float
    asks: str


@dataclass(frozen=True)
class SummaryRow:
    row: MeasureRow
    outcomes: Sequence[Outcome]


def shown_pair(
    pair: OutputPair, against: str, language: str, given: Sequence[PairScore] | None = None,
    valued: PairScore | None = None,
) -> ShownPair:  # fmt: skip
    """A pair; `against` says whether changes are marked against the other output or the source."""
    (first, one_apart), (second, other_apart) = _marked(pair.source, pair.outputs, against)
    source = [Piece("same", pair.source)]
    said: set[str] = set()
    if len(pair.source) > SHOWN:
        in_each = [{sentence.strip() for sentence in split_sentences(text, language or "en")} for text in pair.outputs]
        said = in_each[0] & in_each[1]
    return ShownPair(
        pair.number, folded(source, language, said or ("",)), pair.references,
        (folded(first, language), folded(second, language)), pair.same, (one_apart, other_apart), given, valued,
    )  # fmt: skip


def summary_rows(rows: Sequence[MeasureRow], names: tuple[str, str], kept: Mapping[str, str]) -> list[SummaryRow]:
    """The head-to-head with its links; `kept` are the parameters of the page that a link keeps."""
    read = [replace(row, label=_label(row.key, row.label)) for row in rows]
    return [SummaryRow(row, _outcomes(row, names, kept)) for row in read]


def _label(key: str, label: str) -> str:
    """A measure's label in the reader's language, where it is a criterion of ours."""
    kind, _, name = key.partition(":")
    return label_of_criterion(name) if kind == "criterion" else said_head(label)


def _outcomes(row: MeasureRow, names: tuple[str, str], kept: Mapping[str, str]) -> list[Outcome]:
    if row.counts is None:
        return []
    total, start, found = max(sum(row.counts), 1), 0.0, []
    for name, count in zip(OUTCOMES, row.counts, strict=True):
        share = round(100 * count / total, 2)
        asks = urlencode({**kept, "by": row.key, "outcome": name})
        given = {"measure": row.label, "n": count, "name": names[name == "second"]}
        if name == "tie":
            text, label = _("%(n)d equal") % given, _("%(measure)s: %(n)d equal") % given
        else:
            text, label = str(count), _("%(measure)s: %(n)d won by %(name)s") % given
        found.append(Outcome(name, text, label, share, start, asks))
        start = round(start + share, 2)
    return found


Marked = tuple[Pieces, bool]


def _marked(source: str, outputs: tuple[str, str], against: str) -> tuple[Marked, Marked]:
    first, second = outputs
    if against == SOURCE:
        return _changes(source, first), _changes(source, second)
    return _own(second, first), _own(first, second)


def _own(other: str, text: str) -> Marked:
    """A text with the parts marked that the other lacks; parts that only the other has are marked there."""
    pieces, apart = _changes(other, text)
    return [piece for piece in pieces if piece.kind != "gone"], apart


def _changes(before: str, text: str) -> Marked:
    """A text with its changes, and whether so little is common that all of it would be marked: then nothing is."""
    pieces = marked_changes(before, text)
    apart = is_mostly_other(pieces, longer_than=0)
    return ([Piece("same", text)] if apart else pieces), apart


FALLBACK = {"of": "difference", "order": "highest", "against": "other"}


class CompareForm(forms.Form):
    """Two systems, whose sentences are meant, how they are sorted, and against what differences are marked."""

    first = forms.ChoiceField(label=_("System"))
    second = forms.ChoiceField(label=_("and the system"))
    split = forms.ChoiceField(label=_("Sentences"), required=False)
    direction = forms.ChoiceField(label=_("Direction"), required=False)
    search = forms.CharField(label=_("Search"), required=False, max_length=200)
    by = forms.ChoiceField(label=_("Sort by"), required=False)
    of = forms.ChoiceField(label=_("of it"), required=False)
    order = forms.ChoiceField(
        label=_("Order"), required=False, choices=[("highest", _("Highest first")), ("lowest", _("Lowest first"))]
    )
    outcome = forms.CharField(required=False, widget=forms.HiddenInput)
    differing = forms.BooleanField(label=_("Only outputs that differ"), required=False)
    against = forms.ChoiceField(
        label=_("Mark differences"), required=False,
        choices=[("other", _("from each other")), ("source", _("from the source"))],
    )  # fmt: skip

    def __init__(
        self, data: Any, *, study: Study, names: tuple[str, str], measures: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__({**FALLBACK, "first": names[0], "second": names[1], **data})
        systems = [(name, name) for name in study.systems.values_list("name", flat=True)]
        directions = [(str(place), direction.name) for place, direction in enumerate(study.directions.all())]
        for name in ("first", "second"):
            offer(self, name, systems)
        offer(self, "split", [("", _("as in the report")), *SPLITS[1:]])
        offer(self, "direction", [("", _("all")), *directions])
        if len(directions) < 2:
            del self.fields["direction"]
        offer(self, "by", [("", _("order of the study")), *measures])
        offer(self, "of", [
            ("difference", _("the difference")), ("first", names[0]), ("second", names[1]),
        ])  # fmt: skip


A_PAGE = 10
LENGTHS = (
    (LENGTH_OF_SOURCE, _("Length of the source")),
    (LENGTH_OF_OUTPUT, _("Length of the outputs")),
)
KEPT = ("first", "second", "split", "direction", "against")
FILTERS = ("search", "outcome", "differing")
PAGE = "evaluation/compare.html"


@require_safe
def study_compare(request: Any, study: str) -> HttpResponse:
    """Pairs of outputs by pages, or the head-to-head; what is chosen stands in the address. htmx asks for the scores of
    one pair."""
    names = _names(request)
    if names is None:
        return render(request, PAGE, {"too_few": True})
    asked = {**request.GET.dict(), "first": names[0], "second": names[1]}
    try:
        if request.htmx and asked.get("scores"):
            return _scores(request, asked)
        context = _numbers(request, asked) if asked.get("view") == "numbers" else _pairs(request, asked)
    except UserError as error:
        form = CompareForm(asked, study=request.study, names=names)
        return render(request, PAGE, {"error": str(error), "form": form}, status=422)
    return render(request, PAGE, {**context, "names": names, "kept": urlencode(_kept(asked))})


def _shared(request: Any, asked: Mapping[str, str]) -> SharedOutputs:
    places = asked.get("split", ""), asked.get("direction", "")
    return shared_outputs(request.study, asked["first"], asked["second"], *places)


def _kept(asked: Mapping[str, str]) -> dict[str, str]:
    return {key: asked[key] for key in KEPT if asked.get(key)}


def _numbers(request: Any, asked: dict[str, str]) -> dict[str, Any]:
    shared = _shared(request, asked)
    comparison = kept_head_to_head(shared)
    return {
        "form": CompareForm(asked, study=request.study, names=shared.names),
        "view": "numbers",
        "split": shared.split,
        "comparison": comparison,
        "summary": summary_rows(comparison.rows, shared.names, _kept(asked)),
    }


def _pairs(request: Any, asked: dict[str, str]) -> dict[str, Any]:
    """Only the texts of the page are read, and of scores what the pairs are sorted by."""
    names = asked["first"], asked["second"]
    shared = _shared(request, asked)
    measures = [*_measures(request, asked), *((key, str(words)) for key, words in LENGTHS)]
    label = dict(measures).get(asked.get("by", ""), "")
    chosen: Any = shared.chosen(asked)
    ordered = chosen if isinstance(chosen, SortedOutputs) else None
    page = Paginator(chosen, A_PAGE).get_page(asked.get("page"))
    pairs = page.object_list
    given = shared.scores([pair.number for pair in pairs]) if asked.get("scores") else {}
    against = asked.get("against", "")
    against = against if against in AGAINST else EACH_OTHER
    return {
        "form": CompareForm(asked, study=request.study, names=names, measures=measures),
        "view": "pairs",
        "by": label,
        "outcome": asked.get("outcome", ""),
        "filtered": any(asked.get(key) for key in FILTERS),
        "narrowed": any(asked.get(key) for key in (*FILTERS, "by", "against")),
        "split": shared.split,
        "against": against,
        "page": page,
        "pairs": [
            shown_pair(
                pair, against, request.study.language,
                _read(given[pair.number]) if pair.number in given else None,
                _valued(ordered, pair, label) if ordered else None,
            ) for pair in pairs
        ],
    }  # fmt: skip


def _valued(ordered: SortedOutputs, pair: OutputPair, label: str) -> PairScore:
    values = ordered.values_of(pair.number)
    return PairScore(label, values, better_of(values, ordered.values.better))


def _measures(request: Any, asked: Mapping[str, str]) -> list[tuple[str, str]]:
    """The measures that the report has, by which pairs can be sorted; before the first report those of the texts."""
    report = Report.objects.filter(study=request.study).only("text").first()
    boards = report.content.get("leaderboard") if report else None
    if boards is None:
        kept = kept_head_to_head(_shared(request, asked))
        return [(row.key, _label(row.key, row.label)) for row in kept.rows if row.counts is not None]
    names = {asked["first"], asked["second"]}
    return [
        (f"{kind}:{name}", label(name))
        for kind, of, label in (("criterion", "criteria", label_of_criterion), ("metric", "metrics", said_metric))
        for name, board in boards[of].items()
        if names <= {row["system"] for row in board["rows"] if row["value"] is not None}
    ]


def _read(scores: Sequence[PairScore]) -> list[PairScore]:
    return [replace(one, label=_label(one.keys[0], one.label)) for one in scores]


def _scores(request: Any, asked: Mapping[str, str]) -> HttpResponse:
    """The scores of one pair, whose number is asked for."""
    shared = _shared(request, asked)
    number = int(asked["scores"]) if asked["scores"].isdecimal() and len(asked["scores"]) < 10 else 0
    found = shared.scores([number])
    if number not in found:
        raise Http404(_now("There is no such sentence."))
    return render(request, "evaluation/compare/_scores.html", {"given": _read(found[number])})


def _names(request: Any) -> tuple[str, str] | None:
    """The two systems that are asked for; else the baseline and the first other one. None where there are not two."""
    names = list(request.study.systems.values_list("name", flat=True))
    if len(names) < 2:
        return None
    choice = ReportChoice.objects.select_related("baseline").filter(study=request.study).first()
    usual = choice.baseline.name if choice and choice.baseline else names[0]
    first = request.GET.get("first") or (usual if usual != request.GET.get("second") else names[0])
    return first, request.GET.get("second") or next((name for name in names if name != first), "")
