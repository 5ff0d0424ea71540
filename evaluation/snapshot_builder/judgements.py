"""People's judgements: criteria, the judgements in long form, and their variants (raw, standardized, filtered)."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any, Literal

import numpy as np
from django.db import connection
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from annotation.effective_annotations import judgements as campaign_judgements
from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.models import Study
from evaluation.models import HumanStudy
from evaluation.snapshot import CriterionJudgements, Variant, is_rank
from evaluation.snapshot_builder.compared_sets import ComparedSet, compared_sets
from evaluation.snapshot_builder.texts import StudyTexts
from evaluation.statistics import Method, named
from foundation.key_labels import label_of_key
from foundation.polarity import Poles
from foundation.text_keys import ByText

# Every judgement of a study as columns of numbers: from its campaigns and from elsewhere, each text once.

BATCH_ROWS = 20_000  # rows at a time
BATCH_TEXTS = 1_000  # judged texts at a time
AFTER_IMPORTS = 2**63 - 1  # the place of campaigns' judgements, which count after imported ones
Row = tuple[int, int, str, str, str, float]
"""Its place among the rows, a sentence's key, the key of the judged text, the criterion, who judged, and the value."""
Judged = tuple[int, str, int | None]
"""What was judged: the unit of the source, the key of the text, and the system (its primary key) whose output it was.

No system: the text was judged, whoever wrote it.
"""

# A judged text comes once, with all its judgements; in no order, since keys rise from import to import.
IMPORTED = """
SELECT j.sentence_id, j.text_key, j.system_id,
       count(*), array_agg(j.id), array_agg(c.name), array_agg(j.worker), array_agg(j.value)
FROM evaluation_judgement j
JOIN evaluation_ratingsimport i ON i.id = j.ratings_import_id JOIN annotation_criterion c ON c.id = j.criterion_id
WHERE i.study_id = %(study)s
GROUP BY j.sentence_id, j.text_key, j.system_id
"""


@dataclass(frozen=True)
class _Batch:
    """Judgements of some texts: `counts` of each stand together in the columns."""

    texts: Iterable[Judged]
    counts: Sequence[int] | NDArray[np.intp]
    places: Sequence[int]
    criteria: Sequence[str]
    raters: Sequence[str]
    values: Sequence[float]


@dataclass(frozen=True)
class JudgementTable:
    """All judgements that count, in long form (m,): text, criterion, rater and value, as places in the lists.

    `texts` are the different judged texts, each with the unit of its source, and with its system where the judgement
    was given to one. If a source stands several times, a campaign's judgement belongs to the sentence that it asked
    about. An imported one belongs to the sentence that it numbers, else to the first. Only the last of a rater's
    judgements of one text on one criterion is here: of the newest import, or of the newest campaign, which comes after
    all imports. `replaced` counts the others by criterion. `sets` are those of the criteria that compare some systems
    alone.
    """

    texts: Sequence[Judged]
    criteria: Sequence[str]
    raters: Sequence[str]
    text: NDArray[np.intp]
    criterion: NDArray[np.intp]
    rater: NDArray[np.intp]
    value: NDArray[np.float64]
    replaced: Mapping[str, int] = field(default_factory=dict)
    sets: Mapping[str, ComparedSet] = field(default_factory=dict)


def judgements_of(
    study: Study, unit_of: Mapping[int, int], written: Iterable[tuple[int, str]], beside: Sequence[Sequence[Row]] = ()
) -> JudgementTable:
    """The judgements of a study.

    Args:
        study: the study.
        unit_of: the unit of each sentence.
        written: (unit, text key) of all texts of the study that can have been judged.
        beside: rows that somebody asked to count too, such as those of a language model.

    Returns:
        The judgements that count, whoever gave them.
    """
    without = withheld_campaigns(study)
    sets = compared_sets(study, without)
    in_campaigns = (_batch_of_rows(rows, unit_of) for rows in chain(_in_campaigns(study, without, sets), beside))
    table = _columns(chain(_imported(study, unit_of, written), in_campaigns))
    return replace(table, sets={one.criterion: one for one in sets})


def table_of_rows(parts: Iterable[Sequence[Row]], homes: Mapping[int, int]) -> JudgementTable:
    """Rows, some at a time, as columns in the order of their places; rows of one place stand as they came.

    A rater's earlier rows of a place are dropped.
    """
    return _columns(_batch_of_rows(rows, homes) for rows in parts)


def _columns(parts: Iterable[_Batch]) -> JudgementTable:
    texts, criteria, raters = _Codes(), _Codes(), _Codes()
    places: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    codes: list[NDArray[np.intp]] = [np.empty((0, 3), dtype=np.intp)]
    values: list[NDArray[np.float64]] = [np.empty(0)]
    for part in parts:
        judged = np.repeat(texts.of(part.texts, len(part.counts)), part.counts)
        columns = judged, criteria.of(part.criteria, len(judged)), raters.of(part.raters, len(judged))
        places.append(np.array(part.places, dtype=np.int64))
        codes.append(np.column_stack(columns))
        values.append(np.array(part.values, dtype=np.float64))
    order = np.argsort(np.concatenate(places), kind="stable")
    table = np.concatenate(codes)[order]
    last = _last_of_each(table, len(criteria), len(raters))
    named = [_in_order_of_appearance(*pair) for pair in zip((texts, criteria, raters), table.T, strict=True)]
    (text_names, text), (criterion_names, criterion), (rater_names, rater) = named
    value = np.concatenate(values)[order][last]
    counts = np.bincount(criterion) - np.bincount(criterion[last], minlength=len(criterion_names))
    replaced = {name: int(n) for name, n in zip(criterion_names, counts, strict=True) if n}
    return JudgementTable(
        text_names, criterion_names, rater_names, text[last], criterion[last], rater[last], value, replaced
    )


class _Codes(dict[object, int]):
    """The place of each different thing in the order in which they came; whole columns at a time, as rows are many."""

    def __missing__(self, thing: object) -> int:
        self[thing] = len(self)
        return self[thing]

    def of(self, column: Iterable[object], count: int) -> NDArray[np.intp]:
        return np.fromiter(map(self.__getitem__, column), dtype=np.intp, count=count)


def _in_order_of_appearance(codes: _Codes, column: NDArray[np.intp]) -> tuple[list[Any], NDArray[np.intp]]:
    """The things in the order in which a column of their codes meets them, and the column with their places there."""
    first = np.empty(len(codes), dtype=np.intp)
    first[column[::-1]] = np.arange(len(column))[::-1]  # of several that are written to one place, the last stays
    order = np.argsort(first)
    names, places = list(codes), np.empty_like(order)
    places[order] = np.arange(len(order))
    return [names[code] for code in order], places[column]


def _last_of_each(table: NDArray[np.intp], criteria: int, raters: int) -> NDArray[np.intp]:
    """The last row of each (text, criterion, rater), in the order of the rows."""
    same = (table[:, 0] * max(criteria, 1) + table[:, 1]) * max(raters, 1) + table[:, 2]
    from_the_end = np.unique(same[::-1], return_index=True)[1]
    return np.sort(len(same) - 1 - from_the_end)


def _imported(study: Study, unit_of: Mapping[int, int], written: Iterable[tuple[int, str]]) -> Iterator[_Batch]:
    by_unit: dict[int, ByText[str]] = {}
    with connection.chunked_cursor() as cursor:
        cursor.execute(IMPORTED, {"study": study.pk})
        while rows := cursor.fetchmany(BATCH_TEXTS):
            by_unit = by_unit or _texts_of_units(written)
            sentences, keys, systems, counts, *columns = zip(*rows, strict=True)
            texts = [
                (unit_of[sentence], by_unit[unit_of[sentence]].get(key) or key, system)
                for sentence, key, system in zip(sentences, keys, systems, strict=True)
            ]
            flat = (list(chain.from_iterable(column)) for column in columns)
            yield _Batch(texts, counts, *flat)


def _texts_of_units(written: Iterable[tuple[int, str]]) -> dict[int, ByText[str]]:
    texts_of: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for unit, key in written:
        texts_of[unit].append((key, key))
    return {unit: ByText.of_keys(texts) for unit, texts in texts_of.items()}


def _batch_of_rows(rows: Sequence[Row], unit_of: Mapping[int, int]) -> _Batch:
    places, sentences, keys, criteria, raters, values = zip(*rows, strict=True)
    texts = ((unit_of[sentence], key, None) for sentence, key in zip(sentences, keys, strict=True))
    return _Batch(texts, np.ones(len(rows), dtype=np.intp), places, criteria, raters, values)


def withheld_campaigns(study: Study) -> set[int]:
    """The campaigns of open human studies that withhold how systems compare."""
    open_ones = study.human_studies.filter(state=HumanStudy.State.OPEN).prefetch_related("campaigns")
    return {campaign.pk for open_one in open_ones if open_one.withholds for campaign in open_one.campaigns.all()}


def _in_campaigns(study: Study, without: Collection[int], sets: Sequence[ComparedSet]) -> Iterator[Sequence[Row]]:
    """Rows of campaigns, without some. Those that compare sets of systems come set by set, named by it."""
    apart = {campaign for one in sets for campaign in one.campaigns}
    yield from _named_rows(study, {*without, *apart}, {})
    for one in sets:
        yield from _named_rows(study, {*without, *_campaigns_but(study, one)}, {one.kind: one.criterion})


def _campaigns_but(study: Study, one: ComparedSet) -> set[int]:
    return set(study.campaigns.exclude(pk__in=one.campaigns).values_list("pk", flat=True))


def _named_rows(study: Study, without: Collection[int], names: Mapping[str, str]) -> Iterator[Sequence[Row]]:
    rows: Iterator[Row] = (
        (AFTER_IMPORTS, given.sentence_id, given.text_key, names.get(given.criterion, given.criterion),
         given.pseudonym, given.value)
        for given in campaign_judgements(study, without)
    )  # fmt: skip
    while part := list(islice(rows, BATCH_ROWS)):
        yield part


# Judgements as a snapshot holds them: by criterion, once for each system that gave the judged text.

Places = NDArray[np.intp]


@dataclass(frozen=True)
class CriterionScale:
    """A criterion's scale, with its two ends."""

    name: str
    scale: str
    level: Literal["nominal", "ordinal", "interval"]
    aspect: str
    lowest: float
    highest: float
    better: bool | None = True
    poles: Poles | None = None

    @property
    def is_ordered(self) -> bool:
        """Whether one value is more than another."""
        return self.level != "nominal"


@dataclass(frozen=True)
class JudgedOutputs:
    """The texts of each system: `text` (p,) of the judged texts, the `system` that gave it, and its `unit`."""

    text: Places
    system: Places
    unit: Places

    def of(self, chosen: NDArray[np.bool_]) -> "JudgedOutputs":
        """Those alone."""
        return JudgedOutputs(self.text[chosen], self.system[chosen], self.unit[chosen])


def criterion_scales(study: Study, given: JudgementTable) -> list[CriterionScale]:
    """The criteria that somebody judged: the study's in their order, then ranks and others that campaigns asked."""
    own = {row.name: row for row in Criterion.objects.filter(study=study)}
    judged = {given.criteria[code] for code in np.unique(given.criterion)}
    named = [name for name in own if name in judged]
    return [
        *[_on_scale(own[name]) for name in named],
        *[_by_values(name, given) for name in given.criteria if name in judged and name not in own],
    ]


def _on_scale(row: Criterion) -> CriterionScale:
    scale = SCALES[row.scale]
    ends = float(scale.lowest), float(scale.highest)
    return CriterionScale(row.name, row.scale, scale.measurement, row.aspect, *ends, poles=scale.poles)


def _by_values(name: str, given: JudgementTable) -> CriterionScale:
    """A criterion without a scale: places in an order, or the choices that best-worst scaling counts."""
    values = given.value[given.criterion == given.criteria.index(name)]
    return CriterionScale(
        name, "", "ordinal", "overall", float(values.min()), float(values.max()), better=not is_rank(name)
    )


def judged_outputs(texts: StudyTexts, given: JudgementTable) -> JudgedOutputs:
    """Which system gave which of the judged texts, by system and unit.

    A judgement that was given to a system is of its output alone, though another system wrote the same text.
    """
    places = {judged: place for place, judged in enumerate(given.texts)}
    keys = [system.pk for system in texts.systems] + [None] * (len(texts.rows) - len(texts.systems))
    triples = [
        (places[(*point, of)], system, unit)
        for system, key in enumerate(keys)
        for point, unit in texts.points(system).items()
        for of in dict.fromkeys((None, key))
        if (*point, of) in places
    ]
    return JudgedOutputs(*np.array(triples, dtype=np.intp).reshape(-1, 3).T)


def judgements_of_criterion(
    kind: CriterionScale, given: JudgementTable, shown: JudgedOutputs, home: Places
) -> CriterionJudgements:
    """The judgements of one criterion, those of a text once for each system that gave it, by system and unit.

    A rater has placed a system once a source: of its texts for a source that stands twice, the first counts.
    """
    rows = np.flatnonzero(given.criterion == given.criteria.index(kind.name))
    rows = rows[np.argsort(given.text[rows], kind="stable")]
    starts = np.searchsorted(given.text[rows], shown.text, "left")
    counts = np.searchsorted(given.text[rows], shown.text, "right") - starts
    pair = np.repeat(np.arange(len(shown.text)), counts)
    row = rows[np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(starts, counts)]
    judged = CriterionJudgements(
        name=kind.name,
        label=_label_of(kind),
        scale=kind.scale,
        level=kind.level,
        aspect=kind.aspect,
        lowest=kind.lowest,
        highest=kind.highest,
        better=kind.better,
        unit=shown.unit[pair],
        system=shown.system[pair],
        rater=given.rater[row],
        value=given.value[row],
        text=given.text[row],
        poles=kind.poles,
    )
    return _placed_once(judged, home) if is_rank(kind.name) else judged


def _label_of(kind: CriterionScale) -> str:
    """The label; systems that a criterion compares keep their names' capitals."""
    own, bracket, systems = ("", "", "") if kind.scale else kind.name.partition(" (")
    return label_of_key(own) + bracket + systems if bracket else label_of_key(kind.name)


def select_judgements(judged: CriterionJudgements, chosen: NDArray[np.bool_] | Places) -> CriterionJudgements:
    """Those judgements alone."""
    columns = {name: getattr(judged, name)[chosen] for name in ("unit", "system", "rater", "value", "text")}
    return replace(judged, **columns, weight=None if judged.weight is None else judged.weight[chosen])


def weighted(
    judgements: Mapping[str, CriterionJudgements], given: JudgementTable, weights: Mapping[tuple[int, str], float]
) -> dict[str, CriterionJudgements]:
    """The same with the weights of texts that do not stand for themselves alone, by unit and key."""
    if not weights:
        return dict(judgements)
    by_text = np.array([weights.get((unit, key), 1.0) for unit, key, _ in given.texts])
    return {name: replace(of, weight=by_text[of.text]) for name, of in judgements.items()}


def _placed_once(judged: CriterionJudgements, home: Places) -> CriterionJudgements:
    keys = np.column_stack((home[judged.unit], judged.rater, judged.system))
    return select_judgements(judged, np.sort(np.unique(keys, axis=0, return_index=True)[1])) if len(keys) else judged


def judgements_by_criterion(
    kinds: Sequence[CriterionScale], given: JudgementTable, shown: Callable[[str], JudgedOutputs], home: Places
) -> Mapping[str, CriterionJudgements]:
    """By name; `shown` says of a criterion which texts are whose."""
    return {kind.name: judgements_of_criterion(kind, given, shown(kind.name), home) for kind in kinds}


# The same judgements three ways: as they were given, standardized by worker, and without workers who are left out.

VARIANTS: Mapping[Variant, Any] = {
    "raw": _("as they were given"), "z": _("standardized by rater"), "filtered": _("without excluded raters"),
}  # fmt: skip
"""What people call each; translated where it is shown."""


def variants_of(given: JudgementTable, left_out: Sequence[str]) -> Mapping[Variant, JudgementTable]:
    """Raw, z and filtered. A place among others is no value on a worker's own scale: ranks are the same in z."""
    return {"raw": given, "z": _standardized(given), "filtered": without_raters(given, left_out)}


def without_raters(given: JudgementTable, left_out: Sequence[str]) -> JudgementTable:
    """The judgements of those whom no rule leaves out: `left_out` says of each rater why, "" where they stay."""
    chosen = ~np.array([bool(why) for why in left_out], dtype=bool)
    return given if chosen.all() else _only(given, chosen[given.rater])


def _only(given: JudgementTable, chosen: NDArray[np.bool_]) -> JudgementTable:
    columns = {name: getattr(given, name)[chosen] for name in ("text", "criterion", "rater", "value")}
    return replace(given, **columns)


def _standardized(given: JudgementTable) -> JudgementTable:
    """Each value less the worker's mean on the criterion, over their deviation; those that have no z are left out."""
    if not len(given.value):
        return given
    z = named(Method, "worker_z").call(given.value, given.rater, given.criterion).values
    ranks = [place for place, name in enumerate(given.criteria) if is_rank(name)]
    values = np.where(np.isin(given.criterion, ranks), given.value, z)
    return _only(replace(given, value=values), np.isfinite(values))
