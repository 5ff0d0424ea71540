"""A whole study in plain arrays."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.expressions import Value
from django.db.models.functions import Coalesce, NullIf

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS, SECONDS
from corpora.knowledge.concepts import linker
from corpora.models import DocumentSentence, Reference, Sentence, Study
from evaluation.comparability.better_ends import by_direction
from evaluation.comparability.report_split import in_split
from evaluation.human_studies.open_queue import weights_of
from evaluation.human_studies.workers import left_out_elsewhere, screened
from evaluation.marked_outputs import machine_marks, output_marks
from evaluation.models import HumanStudy, Report, ReportChoice
from evaluation.snapshot import (
    ConceptMention,
    CorpusCounts,
    CriterionJudgements,
    Raters,
    StudySnapshot,
    TextContext,
    Variant,
    joint_scores,
)
from evaluation.snapshot_builder.compared_sets import compared_sets, names_by_campaign
from evaluation.snapshot_builder.judgements import (
    CriterionScale,
    JudgedOutputs,
    JudgementTable,
    criterion_scales,
    judged_outputs,
    judgements_by_criterion,
    judgements_of,
    variants_of,
    weighted,
    withheld_campaigns,
    without_raters,
)
from evaluation.snapshot_builder.machines import MachineReading, counted_machines, machines_of, read_machines, rows_of
from evaluation.snapshot_builder.scores import baseline_scores_of, contrast_scores_of, imported_metrics_of, scores_of
from evaluation.snapshot_builder.texts import (
    SOURCE,
    StudyTexts,
    elements_of,
    not_asked_of_source,
    source_and_reference_rows,
    texts_of,
    without_brackets,
)
from foundation.errors import UserError
from foundation.seeds import generator

Texts = dict[tuple[str, str], list[str]]
Annotated = dict[tuple[str, str, str], tuple[list[str], list[str]]]
Forms = dict[tuple[str, str, str], list[int]]


def corpus_counts_of(study: Study, texts: StudyTexts) -> CorpusCounts:
    """Sources, pairs, texts by style and split, concepts, topics and sections."""
    documents = DocumentSentence.objects.filter(document__study=study, held=False, dropped=False)
    by_style, annotated, forms = _texts(study, documents)
    return CorpusCounts(
        sentences=_sources(study, Q()),
        pairs=_sources(study, Q(Exists(Reference.objects.filter(sentence=OuterRef("pk"))))),
        texts=by_style,
        annotated=annotated,
        forms=forms,
        concepts=_concepts(study, documents),
        topics=_topics(documents),
        sections=_sections(study, documents),
    )


def _sources(study: Study, where: Q) -> Mapping[tuple[str, str, str, str], int]:
    fields = ("direction__source_style", "direction__target_style", "split", "domain")
    rows = Sentence.objects.filter(where, direction__study=study).values_list(*fields).annotate(n=Count("pk"))
    return {(source, target, split, domain): n for source, target, split, domain, n in rows.order_by(*fields)}


def _texts(study: Study, documents: Any) -> tuple[Texts, Annotated, Forms]:
    """Texts by style and split: sources, references in the style of the target, and sentences of documents that are no
    source. The sources with references and these references, by direction and split; and first references' full forms.

    A pair that is rewritten in both directions holds a text twice, as source and as reference: it counts once.
    """
    by_style: Texts = defaultdict(list)
    by_direction: Annotated = defaultdict(lambda: ([], []))
    fields = ("direction__source_style", "direction__target_style", "split", "text")
    rewritten = Exists(Reference.objects.filter(sentence=OuterRef("pk")))
    sources = Sentence.objects.filter(direction__study=study).order_by("pk").values_list(*fields, rewritten)
    for source, target, split, text, is_rewritten in sources.iterator(10_000):
        by_style[source, split].append(text)
        if is_rewritten:
            by_direction[source, target, split][0].append(text)
    left = {key: Counter(texts) for key, texts in by_style.items()}
    references = Reference.objects.filter(set__direction__study=study).order_by("pk")
    found = ("set__direction__source_style", "set__direction__target_style", "sentence__split")
    forms: dict[tuple[str, str, str], dict[int, int]] = defaultdict(dict)
    rows = references.values_list(*found, "text", "set__marks", "sentence_id")
    for source, target, split, text, marks, sentence in rows.iterator(10_000):
        plain, held = without_brackets(text, marks), left.get((target, split))
        if held is not None and held[plain.text] > 0:
            held[plain.text] -= 1
        else:
            by_style[target, split].append(plain.text)
        by_direction[source, target, split][1].append(plain.text)
        if plain.terms is not None:
            forms[source, target, split].setdefault(sentence, len(plain.terms))
    unused = documents.filter(~Exists(Sentence.objects.filter(origin=OuterRef("pk")))).order_by("pk")
    for style, split, text in unused.values_list("document__style", "document__split", "text").iterator(10_000):
        by_style[style, split].append(text)
    return dict(by_style), dict(by_direction), {place: list(of.values()) for place, of in forms.items()}


def _concepts(study: Study, documents: Any) -> Texts:
    """The identifiers of the concepts linked in each style and split, one for each mention."""
    by_style: Texts = defaultdict(list)
    sources = Sentence.objects.filter(direction__study=study, origin=None).exclude(concepts=None)
    linked = documents.exclude(concepts=None)
    for rows, style, split in (
        (sources, "direction__source_style", "split"),
        (linked, "document__style", "document__split"),
    ):
        for of, part, concepts in rows.order_by("pk").values_list(style, split, "concepts").iterator(10_000):
            by_style[of, part].extend(concept["cui"] for concept in concepts)
    return dict(by_style)


def _topics(documents: Any) -> Mapping[tuple[str, str], int]:
    topic = Coalesce(NullIf(F("document__topic"), Value("")), F("document__question__topic"), Value(""))
    rows = documents.annotate(of=topic).exclude(of="").values_list("document__style", "of").annotate(n=Count("pk"))
    return {(style, name): n for style, name, n in rows.order_by("document__style", "of")}


def _sections(study: Study, documents: Any) -> Mapping[tuple[str, str], int]:
    """By the element that a section stands for, where somebody said so, else by its title."""
    named = elements_of(study)
    rows = documents.exclude(section="").values_list("document__style", "section").annotate(n=Count("pk"))
    counts: Counter[tuple[str, str]] = Counter()
    for style, section, n in rows.order_by("document__style", "section"):
        counts[style, named.get((style, section), section)] += n
    return dict(counts)


LINKED_SHOWN, LINKED_TRIED = 3, 30  # units with concepts: how many are shown, and of how many drawn ones
FIELDS = ("pk", "origin__document", "origin__number", "origin__document__title", "origin__document__code",
          "origin__document__question__text")  # fmt: skip


def text_context_of(study: Study, texts: StudyTexts) -> TextContext:
    """For the examples of a report."""
    places = {pk: place for place, pk in enumerate(texts.units.ids)}
    document, numbers = [-1] * len(places), [0] * len(places)
    known: dict[int, int] = {}
    about: list[tuple[str, str, str]] = []
    rows = Sentence.objects.filter(direction__study=study).exclude(origin=None).values_list(*FIELDS)
    for pk, of, number, title, code, question in rows.iterator(10_000):
        if of not in known:
            known[of] = len(about)
            about.append((title, code, question or ""))
        if pk in places:
            document[places[pk]], numbers[places[pk]] = known[of], number
    titles, codes, questions = zip(*about, strict=True) if about else ((), (), ())
    return TextContext(document, numbers, titles, codes, questions, texts.terms, _linked(texts))


def _linked(texts: StudyTexts) -> dict[int, tuple[Sequence[ConceptMention], Sequence[ConceptMention]]]:
    """Some units drawn from those with concepts, whose first reference has concepts too."""
    units = texts.units
    candidates = [unit for unit in np.flatnonzero(units.concepts > 0).tolist() if units.references[unit]]
    order = (
        generator(1, "concepts", len(candidates)).permutation(len(candidates))[:LINKED_TRIED]
        if candidates
        else np.empty(0, dtype=int)
    )
    mentions: dict[int, tuple[Sequence[ConceptMention], Sequence[ConceptMention]]] = {}
    for unit in (candidates[number] for number in order.tolist()):
        source, reference = (_mentions(text) for text in (units.sources[unit], units.references[unit][0]))
        if source and reference:
            mentions[unit] = source, reference
        if len(mentions) == LINKED_SHOWN:
            break
    return dict(sorted(mentions.items()))


def _mentions(text: str) -> list[ConceptMention]:
    try:
        return [ConceptMention(mention.start, mention.end, mention.cui) for mention in linker().link(text)]
    except UserError:  # the set of concepts that the texts were linked by is gone
        return []


ELSEWHERE = """
SELECT j.worker, percentile_cont(0.5) WITHIN GROUP (ORDER BY j.seconds)
FROM evaluation_judgement j JOIN evaluation_ratingsimport m ON m.id = j.ratings_import_id
WHERE m.study_id = %(study)s AND j.seconds IS NOT NULL GROUP BY j.worker
"""
IN_CAMPAIGNS = (
    EFFECTIVE_ANNOTATIONS
    + f"""
SELECT p.pseudonym::text, percentile_cont(0.5) WITHIN GROUP (
    ORDER BY {SECONDS} / CASE WHEN jsonb_typeof(i.content -> 'candidates') = 'array'
                                     THEN nullif(jsonb_array_length(i.content -> 'candidates'), 0) END)
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
WHERE effective.seconds > 0 GROUP BY p.pseudonym
"""  # noqa: S608 (all parts stand in this program)
)


def median_seconds(study: Study) -> Mapping[str, float]:
    """The median seconds a text by worker, of imported judgements and of the study's own campaigns."""
    seconds: dict[str, float] = {}
    with connection.cursor() as cursor:
        cursor.execute(ELSEWHERE, {"study": study.pk})
        seconds.update(cursor.fetchall())
        if campaigns := list(study.campaigns.values_list("pk", flat=True)):
            cursor.execute(IN_CAMPAIGNS, {"campaigns": campaigns})
            seconds.update(row for row in cursor.fetchall() if row[1] is not None)
    return seconds


def raters_of(study: Study, given: JudgementTable) -> Raters:
    """The raters of the judgements, in the order of their numbers there."""
    why, tests = screened(study)
    why = left_out_elsewhere(study) | why
    seconds = median_seconds(study)
    control = [tests[name].p if name in tests else None for name in given.raters]
    return Raters(
        names=list(given.raters),
        control=np.array([np.nan if p is None else p for p in control], dtype=np.float64),
        left_out=[why.get(name, "") for name in given.raters],
        seconds=np.array([seconds.get(name, np.nan) for name in given.raters], dtype=np.float64),
    )


@dataclass(frozen=True)
class StudyReading:
    """A study's texts, with rows for those judged beside its systems, and all judgements of texts."""

    texts: StudyTexts
    judgement_table: JudgementTable


@dataclass(frozen=True)
class BuiltSnapshot:
    """A study's snapshot with the data it was made from; `judgement_table` holds the judgements that count.

    `machines` are the language models that rate: what they said stands beside, and counts for nobody.
    """

    texts: StudyTexts
    judgement_table: JudgementTable
    scales: Sequence[CriterionScale]
    snapshot: StudySnapshot
    machines: Sequence[MachineReading] = ()

    @cached_property
    def leading(self) -> JudgementTable:
        """The judgements of the raters whom the report's means count, with the values that they gave."""
        left_out = self.snapshot.raters.left_out if self.snapshot.variant == "filtered" else []
        return without_raters(self.judgement_table, left_out) if any(left_out) else self.judgement_table


@dataclass(frozen=True)
class CountedJudgements:
    """The judgements that count: as they were given, their criteria, who judged, and each variant by criterion.

    `unordered` are those on scales whose levels have no order, by criterion: they stand in no variant.
    """

    judgement_table: JudgementTable
    scales: Sequence[CriterionScale]
    raters: Raters
    judgements: Mapping[Variant, Mapping[str, CriterionJudgements]]
    unordered: Mapping[str, CriterionJudgements]


def read_study(study: Study, *, apart: bool = True) -> StudyReading:
    """Texts and judgements, each read once."""
    texts = texts_of(study, apart=apart)
    home = texts.units.home
    sets = names_by_campaign(compared_sets(study, withheld_campaigns(study)))
    machines = [list(rows_of(machine, sets)) for machine in counted_machines(study)]
    given = judgements_of(study, texts.unit_of, texts.written(), [rows for rows in machines if rows])
    beside = source_and_reference_rows(study, texts.units, {(int(home[unit]), key) for unit, key, _ in given.texts})
    return StudyReading(replace(texts, rows=[*texts.rows, *beside]), given)


def snapshot_of(study: Study, read: StudyReading | None = None) -> StudySnapshot:
    """The snapshot of a study; its `report` is the one that was made last, {} before the first."""
    return build_snapshot(study, read).snapshot


def build_snapshot(
    study: Study, read: StudyReading | None = None, report: Mapping[str, Any] | None = None
) -> BuiltSnapshot:
    """All that a report of a study is made from, with the scores of the metrics that it chose."""
    read = read or read_study(study)
    texts, counted = read.texts, count_judgements(study, read)
    chosen = {choice.metric: choice.settings for choice in study.metric_choices.all()}
    imported = imported_metrics_of(study)
    metrics = [*chosen, *imported]
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    machines = machines_of(study)
    named = [machine for machine in machines if machine.name in choice.machines]
    snapshot = StudySnapshot(
        study=study.slug,
        title=study.title,
        styles=study.styles,
        unit=study.unit,  # type: ignore[arg-type]
        units=texts.units,
        systems=texts.rows,
        judgements=counted.judgements,
        raters=counted.raters,
        scores=scores_of(study, texts, metrics),
        baselines=baseline_scores_of(study, metrics),
        contrast=contrast_scores_of(study, metrics),
        counts=corpus_counts_of(study, texts),
        baseline=_baseline(texts, choice),
        alpha=choice.alpha,
        correction=choice.correction,
        variant=choice.variant,  # type: ignore[arg-type]
        human_systems=choice.human_systems,
        report=_report(study) if report is None else report,
        context=text_context_of(study, texts),
        meant=study.poles,
        language=texts.language,
        averaging=choice.averaging,  # type: ignore[arg-type]
        joint=joint_scores(choice.joint),
        unordered=counted.unordered,
        chosen=chosen,
        imported=imported,
        marked=list(output_marks(study, withheld_campaigns(study), named)),
        marked_by_machines=list(machine_marks(study, (one for one in machines if one not in named))),
        proxies=_proxies(study),
        planned=_planned(study),
        machines=[machine.shown for machine in named],
    )
    inside = by_direction(in_split(snapshot, choice.split))
    read_by_machines = read_machines(study, texts, machines, named)
    return BuiltSnapshot(texts, counted.judgement_table, counted.scales, inside, read_by_machines)


def count_judgements(study: Study, read: StudyReading) -> CountedJudgements:
    """The judgements that were read, in all variants."""
    texts = read.texts
    given = read.judgement_table
    raters = raters_of(study, given)
    variants = variants_of(given, raters.left_out)
    scales, shown = criterion_scales(study, given), shown_by_criterion(study, texts, given)
    ordered = [kind for kind in scales if kind.is_ordered]
    weights = _weights(study, texts)
    rows = {
        name: weighted(judgements_by_criterion(ordered, table, shown, texts.units.home), table, weights)
        for name, table in variants.items()
    }
    unordered = [kind for kind in scales if not kind.is_ordered]
    beside = judgements_by_criterion(unordered, given, shown, texts.units.home)
    return CountedJudgements(given, scales, raters, rows, beside)


def shown_by_criterion(study: Study, texts: StudyTexts, given: JudgementTable) -> Callable[[str], JudgedOutputs]:
    """The texts of each system, by the name of a criterion: the source's only if a campaign asked it of the source."""
    shown = judged_outputs(texts, given)
    source = next((place for place, row in enumerate(texts.rows) if row.role == SOURCE), None)
    excluded = set() if source is None else not_asked_of_source(study)
    others = shown.of(shown.system != source) if excluded else shown
    own = np.array([system.pk for system in texts.systems] + [0] * (len(texts.rows) - len(texts.systems)), dtype=int)

    def of(name: str) -> JudgedOutputs:
        if (compared := given.sets.get(name)) is None:
            return others if name in excluded else shown
        beside = own[shown.system] == 0 if compared.has_source else (own[shown.system] == 0) & (shown.system != source)
        return shown.of(beside | np.isin(own[shown.system], list(compared.systems)))

    return of


def _proxies(study: Study) -> dict[str, str]:
    closed = study.human_studies.filter(state=HumanStudy.State.CLOSED)
    asked = [human_study.plan_at_opening["rules"]["comparison"] for human_study in closed]
    return {of["criterion"]: of["proxy"] for of in asked if of and of.get("proxy")}


def _planned(study: Study) -> list[tuple[str, tuple[str, ...]]]:
    frozen = study.human_studies.filter(frozen__isnull=False).select_related("direction").order_by("-opened_at", "-pk")
    asked = [(human_study.plan_at_opening["rules"]["comparison"], human_study.direction) for human_study in frozen]
    return [
        (comparison["criterion"], (direction.source_style, direction.target_style) if direction else ())
        for comparison, direction in asked
        if comparison
    ]


def _weights(study: Study, texts: StudyTexts) -> dict[tuple[int, str], float]:
    """The weights of texts whose pages were drawn with a smaller chance, by unit and key."""
    drawn = [human_study for human_study in study.human_studies.all() if human_study.draws]
    by_text = {text: weight for human_study in drawn for text, weight in weights_of(human_study).items()}
    return {
        (texts.unit_of[sentence], key): weight
        for (sentence, key), weight in by_text.items()
        if sentence in texts.unit_of
    }


def _baseline(texts: StudyTexts, choice: ReportChoice) -> int | None:
    """The chosen system's place, else the first that is no person."""
    chosen = [place for place, system in enumerate(texts.systems) if system.pk == choice.baseline_id]
    others = [place for place, system in enumerate(texts.systems) if not system.is_human]
    return next(iter([*chosen, *others]), None)


def _report(study: Study) -> Mapping[str, Any]:
    stored = Report.objects.filter(study=study).first()
    return stored.content if stored else {}
