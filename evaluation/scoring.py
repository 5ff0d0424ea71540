"""Scores of systems and degenerate baselines: computed once, cached by the content of all that they depend on."""

import hashlib
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np
import orjson
import regex
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.models import DocumentSentence, Reference, Sentence, Study, System
from evaluation.baselines import BASELINES, BaselineInput
from evaluation.contrast_set import NAME as CONTRAST
from evaluation.contrast_set import ContrastText
from evaluation.languages import pieces, writes_spaces
from evaluation.learned_scorers.training_material import Part, PreferredPair, TrainingMaterial
from evaluation.metric_contract import no_scores
from evaluation.metrics import CONTRACT, MATERIAL, METRICS, MetricInput, Scores
from evaluation.models import BaselineScore, MetricChoice, MetricScore, Report
from evaluation.preference_pairs import pairs_of
from evaluation.snapshot import Units
from evaluation.snapshot_builder.build import StudyReading
from evaluation.snapshot_builder.texts import StudyLink, StudyTexts, without_brackets
from foundation.errors import UserError
from foundation.text_keys import composed, text_key
from foundation.translation import translate
from jobs.execution import JobResult

NAMED = 3  # scores that are lacking, each with its reason; of more their number


def scoring_outcome(study: Study) -> JobResult:
    """The number of scores that there are of those asked for; a warning names the missing ones."""
    metrics = list(study.metric_choices.values_list("metric", flat=True))
    scores = MetricScore.objects.filter(system__study=study, metric__in=metrics)
    reasons = {
        (metric, system): why for metric, system, why in scores.values_list("metric", "system__name", "undefined")
    }
    asked = [(metric, system) for metric in metrics for system in study.systems.values_list("name", flat=True)]
    lacking = [(*key, reasons.get(key, "It was not computed")) for key in asked if reasons.get(key, "none")]
    said = translate(
        "The report is ready: {done} of {all} scores.", done=f"{len(asked) - len(lacking):,}", all=f"{len(asked):,}"
    )
    if not lacking:
        return JobResult(said)
    named = "; ".join(f"{metric} of {system}: {why.rstrip('.')}" for metric, system, why in lacking[:NAMED])
    more = f"; and {len(lacking) - NAMED:,} more" if len(lacking) > NAMED else ""
    return JobResult(said, translate("Without a score: {named}.", named=f"{named}{more}"))


# The outputs that are scored: those of a study's systems, and baselines made from its texts.

WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’][\p{L}\p{M}]+)*")
WORDS = 50  # of a style
FEWEST = 2  # times that a word must stand in a style to mark it
PRIOR = 500.0  # how many words the prior weighs, as against those of the texts


def style_words_of(study: Study, units: Units, language: str = "") -> dict[str, Sequence[str]]:
    """The strongest words of each style of the study's directions, strongest first.

    The study's own words belong to that style whose texts hold them more often. Without a list: by the log-odds ratio
    with a prior from all texts (Monroe, Colaresi and Quinn 2008, 'Fightin' Words').
    """
    counts = _counts(units, language)
    strength = _strengths(counts)
    own = {word.casefold() for word in study.style_words}
    by_style: dict[str, Sequence[str]] = {}
    for style in counts:
        marking = [word for word, value in strength[style] if value > 0]
        chosen = (
            [word for word in marking if word in own] if own else [w for w in marking if counts[style][w] >= FEWEST]
        )
        by_style[style] = chosen[:WORDS]
    return by_style


def _counts(units: Units, language: str) -> dict[str, Counter[str]]:
    """How often each word stands in a style: sources in their own, references in that of the target."""
    counts: dict[str, Counter[str]] = {style: Counter() for pair in units.directions for style in pair}
    for place, source, references in zip(units.direction, units.sources, units.references, strict=True):
        source_style, target_style = units.directions[place]
        counts[source_style].update(_words([source], language))
        counts[target_style].update(_words(references, language))
    return counts


def _words(texts: Iterable[str], language: str) -> Iterable[str]:
    for text in texts:
        if writes_spaces(language):
            yield from WORD.findall(text.casefold())
        else:
            yield from (piece for piece in pieces(text.casefold(), language) if WORD.fullmatch(piece))


def _strengths(counts: Mapping[str, Counter[str]]) -> dict[str, list[tuple[str, float]]]:
    """For each style its words by the z of their log-odds against the other styles, strongest first."""
    words = sorted(set().union(*counts.values())) if counts else []
    table = np.array([[of[word] for word in words] for of in counts.values()], dtype=np.float64)
    if not words:
        return {style: [] for style in counts}
    prior = PRIOR * table.sum(axis=0) / table.sum()
    by_style = {}
    for style, own in zip(counts, table, strict=True):
        odds = [_log_odds(counted, prior) for counted in (own, table.sum(axis=0) - own)]
        spread = np.sqrt(1 / (own + prior) + 1 / (table.sum(axis=0) - own + prior))
        z = (odds[0] - odds[1]) / spread
        by_style[style] = [(words[number], float(z[number])) for number in np.argsort(-z, kind="stable")]
    return by_style


def _log_odds(counts: np.ndarray, prior: np.ndarray) -> np.ndarray:
    with_prior = counts + prior
    return np.asarray(np.log(with_prior / (with_prior.sum() - with_prior + 1e-12)))


@dataclass(frozen=True)
class OutputSet:
    """Outputs (n) by unit, None where there is none; `pk` is a system's key, None for what is none."""

    name: str
    outputs: Sequence[str | None]
    pk: int | None = None
    are_references: bool = False


def system_outputs(texts: StudyTexts) -> list[OutputSet]:
    """The systems of a study, in their order."""
    pairs = enumerate(zip(texts.systems, texts.rows, strict=False))
    return [OutputSet(row.name, row.outputs, system.pk, texts.are_references(place)) for place, (system, row) in pairs]


def source_and_reference_outputs(texts: StudyTexts) -> list[OutputSet]:
    """The source and the reference, where people judged them beside the systems."""
    first = len(texts.systems)
    rows = enumerate(texts.rows[first:], first)
    return [OutputSet(row.role, row.outputs, are_references=texts.are_references(place)) for place, row in rows]


def baseline_outputs(study: Study, texts: StudyTexts) -> list[OutputSet]:
    """The baselines of a study; one that cannot be made for any unit is left out."""
    units = texts.units
    given = BaselineInput(
        sources=units.sources,
        references=units.references,
        target_styles=[units.directions[place][1] for place in units.direction],
        style_words=style_words_of(study, units, texts.language),
        language=texts.language,
    )
    output_sets = [OutputSet(name, BASELINES[name].make(given)) for name in BASELINES]
    return [output_set for output_set in output_sets if any(output_set.outputs)]


def contrast_outputs(texts: StudyTexts, contrast: Sequence[ContrastText]) -> tuple[StudyTexts, OutputSet]:
    """The contrast set as the one output set of texts that have a unit for each of its texts, numbered from 0.

    Where the first reference is the good text, it is none of the references.
    """
    units, at = texts.units, [one.unit for one in contrast]
    columns = {name: [getattr(units, name)[place] for place in at] for name in ("sources", "splits", "domains")}
    references, terms = (
        [lists[one.unit][len(lists[one.unit]) > 1 and one.of_reference :] for one in contrast]
        for lists in (units.references, texts.terms)
    )
    own = replace(units, ids=range(len(at)), references=references, direction=units.direction[at], **columns)  # type: ignore[arg-type]
    outputs = OutputSet(CONTRAST, [one.text for one in contrast])
    return replace(texts, units=own, terms=terms), outputs


# A study's data for the training of metrics.

Rows = Iterator[tuple[str, str, str]]
"""Style, split and text."""

Rated = tuple[str, float]


def training_material_of(study: Study, read: StudyReading) -> TrainingMaterial:
    """The texts of the train and tune splits; where a style has none to train on, the study's own texts of all styles.

    `rated` are the judged texts as they stand in the study, with their mean on the first criterion of each aspect.
    """
    texts = read.texts
    by_split: dict[str, dict[str, dict[str, None]]] = {"train": defaultdict(dict), "tune": defaultdict(dict)}
    for style, split, text in _split_texts(study):
        by_split[split][style][text] = None
    train, tune = (
        {style: list(texts_of_style) for style, texts_of_style in by_split[split].items()}
        for split in ("train", "tune")
    )
    styles = {style for pair in texts.units.directions for style in pair}
    whole = bool(styles) and all(train.get(style) for style in styles)
    led = _criteria_of_aspects(study, read)
    material = TrainingMaterial(
        texts=train if whole else _own_texts(texts),
        tune=tune if whole else {},
        origin="train" if whole else "own",
        rated={aspect: rated_on(read, row.name) for aspect, row in led.items()},
        rating_scales={
            aspect: (float(SCALES[row.scale].lowest), float(SCALES[row.scale].highest)) for aspect, row in led.items()
        },
        style_words=list(study.style_words),
        preferences=_preferences(study, read) if _wants_preferences(study) else (),
    )
    return _reused_where_equal(material)


def _wants_preferences(study: Study) -> bool:
    """Whether a chosen metric is trained on preferences, which take a while to read."""
    chosen = study.metric_choices.values_list("metric", flat=True)
    return any("preferences" in METRICS[name].needs for name in chosen if name in METRICS)


def _preferences(study: Study, read: StudyReading) -> list[PreferredPair]:
    """The judged pairs of all directions and splits."""
    pairs = (pair for direction in study.directions.all() for pair in pairs_of(direction, read).pairs)
    return [(pair.source, pair.better, pair.worse, pair.margin) for pair in pairs]


_latest: list[TrainingMaterial] = []


def _reused_where_equal(material: TrainingMaterial) -> TrainingMaterial:
    """The last material of this process if it is the same: models trained on it are not trained again."""
    if not _latest or any(_latest[0].digest(part) != material.digest(part) for part in get_args(Part)):
        _latest[:] = [material]
    return _latest[0]


def _split_texts(study: Study) -> Rows:
    """Texts of train and tune: of sources, of references, and of documents' sentences that are not held back."""
    splits = ["train", "tune"]
    sources = Sentence.objects.filter(direction__study=study, split__in=splits).order_by("pk")
    yield from sources.values_list("direction__source_style", "split", "text").iterator(5000)
    references = Reference.objects.filter(set__direction__study=study, sentence__split__in=splits).order_by("pk")
    fields = ("set__direction__target_style", "sentence__split", "text", "set__marks")
    for style, split, text, marks in references.values_list(*fields).iterator(5000):
        yield style, split, without_brackets(text, marks).text
    tested = Sentence.objects.filter(origin=OuterRef("pk")).exclude(split__in=splits)
    documents = DocumentSentence.objects.filter(
        ~Exists(tested), document__study=study, document__split__in=splits, held=False, dropped=False
    )
    yield from documents.order_by("pk").values_list("document__style", "document__split", "text").iterator(5000)


def _own_texts(texts: StudyTexts) -> Mapping[str, list[str]]:
    """The sources and references themselves, by style."""
    by_style: dict[str, dict[str, None]] = defaultdict(dict)
    units = texts.units
    for place, source, references in zip(units.direction, units.sources, units.references, strict=True):
        source_style, target_style = units.directions[place]
        by_style[source_style][source] = None
        for reference in references:
            by_style[target_style][reference] = None
    return {style: list(of) for style, of in by_style.items()}


def _criteria_of_aspects(study: Study, read: StudyReading) -> Mapping[str, Criterion]:
    """The first judged criterion of each aspect."""
    by_aspect: dict[str, Criterion] = {}
    for row in Criterion.objects.filter(study=study).exclude(aspect=""):
        if row.name in read.judgement_table.criteria:
            by_aspect.setdefault(row.aspect, row)
    return by_aspect


def rated_on(read: StudyReading, criterion: str) -> list[Rated]:
    """The judged texts as they stand in the study, with their mean on a criterion that was judged."""
    given, written = read.judgement_table, _texts_by_key(read.texts)
    judged = given.criterion == given.criteria.index(criterion)
    codes, counts = np.unique(given.text[judged], return_counts=True)
    sums = np.bincount(given.text[judged], given.value[judged])[codes]
    means: Any = sums / counts
    rated = ((written.get(given.texts[code][:2]), float(mean)) for code, mean in zip(codes, means, strict=True))
    return [(text, mean) for text, mean in rated if text]


def _texts_by_key(texts: StudyTexts) -> Mapping[tuple[int, str], str]:
    """The texts behind keys. Case counts where formality is learnt, so keys without a text are left out."""
    units = texts.units
    by_key: dict[tuple[int, str], str] = {}
    for place, (home, source, references) in enumerate(zip(units.home.tolist(), units.sources, units.references)):  # noqa: B905
        outputs = [row.outputs[place] for row in texts.rows]
        for text in (source, *references, *outputs):
            if text:
                by_key.setdefault((home, text_key(text)), text)
                by_key.setdefault((place, text_key(text)), text)
    return by_key


REFERENCES = "references"
Needs = frozenset[str]


class ScoringInputs:
    """Batches of one study. Material is read, and the linker loaded, only where a metric needs it, and once."""

    def __init__(self, study: Study, read: StudyReading) -> None:
        self.study, self.read, self.texts = study, read, read.texts
        self._lists: dict[tuple[int, bool], dict[str, list[Any]]] = {}
        self._digests: dict[tuple[int, bool, str], str] = {}
        self._signatures: dict[int, tuple[str, str]] = {}

    def signature(self, choice: MetricChoice) -> tuple[str, str]:
        """Why a metric cannot score here, or '', and else its signature: asked of it once for all sets of outputs."""
        if choice.pk not in self._signatures:
            metric, language = METRICS[choice.metric], self.texts.language
            why = metric.undefined_for(language, **choice.settings) or metric.unavailable(**choice.settings)
            self._signatures[choice.pk] = why, "" if why else metric.signature(language, **choice.settings)
        return self._signatures[choice.pk]

    @cached_property
    def _composed(self) -> dict[str, list[Any]]:
        """The sources, references and terms of all units, which every set of outputs has."""
        units = self.texts.units
        return {
            "sources": list(map(composed, units.sources)),
            "references": [list(map(composed, texts)) for texts in units.references],
            "terms": [[list(map(composed, terms)) for terms in of_unit] for of_unit in self.texts.terms],
        }

    @cached_property
    def link(self) -> StudyLink:
        return StudyLink()

    @cached_property
    def material(self) -> TrainingMaterial:
        return training_material_of(self.study, self.read)

    def ids(self, output_set: OutputSet, needs: Needs) -> list[int]:
        """The units that are scored, each by its first sentence: those with an output and, where needed, references."""
        return self._of(output_set, needs)["ids"]

    def metric_input(self, output_set: OutputSet, needs: Needs) -> MetricInput:
        """The inputs that a metric needs, and no others."""
        lists = self._of(output_set, needs)
        styles = "styles" in needs
        return MetricInput(
            sources=lists["sources"] if "sources" in needs else [],
            outputs=lists["outputs"],
            references=lists["references"] if REFERENCES in needs else [],
            source_styles=[pair[0] for pair in lists["styles"]] if styles else [],
            target_styles=[pair[1] for pair in lists["styles"]] if styles else [],
            terms=lists["terms"] if "terms" in needs else [],
            link=self.link if "link" in needs else None,
            material=self.material if needs & MATERIAL else None,
            language=self.texts.language,
        )

    def digest(self, output_set: OutputSet, needs: Needs) -> list[str]:
        """Digests of the parts that a metric needs, each computed once."""
        parts = ["ids", "outputs", *sorted(needs & {"sources", "references", "styles", "terms"})]
        digests = [self._digest(output_set, needs, part) for part in parts]
        if "link" in needs:
            digests.append(self.link.signature)
        return [*digests, *(self.material.digest(part) for part in sorted(needs & MATERIAL))]  # type: ignore[arg-type]

    def _digest(self, output_set: OutputSet, needs: Needs, part: str) -> str:
        key = (id(output_set), REFERENCES in needs, part)
        if key not in self._digests:
            content = orjson.dumps(self._of(output_set, needs)[part])
            self._digests[key] = hashlib.sha256(content).hexdigest()
        return self._digests[key]

    def _of(self, output_set: OutputSet, needs: Needs) -> dict[str, list[Any]]:
        key = (id(output_set), REFERENCES in needs)
        if key not in self._lists:
            self._lists[key] = self._parts(output_set, REFERENCES in needs)
        return self._lists[key]

    def _parts(self, output_set: OutputSet, wants_references: bool) -> dict[str, list[Any]]:
        units = self.texts.units
        places = [
            place
            for place, text in enumerate(output_set.outputs)
            if text is not None and (units.references[place] or not wants_references)
        ]
        return {
            "ids": [units.ids[place] for place in places],
            "outputs": [composed(output_set.outputs[place] or "") for place in places],
            "styles": [units.directions[units.direction[place]] for place in places],
            **{name: [texts[place] for place in places] for name, texts in self._composed.items()},
        }


class ContrastInputs(ScoringInputs):
    """Batches of the contrast set: what metrics are trained on, and what finds concepts, is the study's."""

    def __init__(self, of: ScoringInputs, texts: StudyTexts, contrast: Sequence[ContrastText]) -> None:
        super().__init__(of.study, replace(of.read, texts=texts))
        self.own, self.contrast, self.units = of, contrast, of.texts.units.ids

    @property
    def link(self) -> StudyLink:
        return self.own.link

    @property
    def material(self) -> TrainingMaterial:
        return self.own.material

    def details_of(self, ids: Sequence[int], scores: Scores) -> dict[str, Any]:
        """The score of each text (None where it has none) with its unit and its family."""
        scored = [self.contrast[place] for place in ids]
        return {
            "units": [self.units[one.unit] for one in scored],
            "families": [one.family for one in scored],
            "scores": [float(value) if np.isfinite(value) else None for value in scores.sentences],
        }


# Score a set of outputs with a metric; a score whose inputs have not changed is not computed again.

KnownScores = Mapping[tuple[Any, str], tuple[str, str]]
"""The key of what is stored, and why it has no number, by system or baseline, and metric."""
LONGEST = 300
logger = logging.getLogger(__name__)


class StudyRemoved(Exception):
    """Somebody took the system out of the study while it was scored."""


def score_system(inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice, known: KnownScores) -> None:
    """Make or renew the stored score if needed; none stays where the metric has nothing to score.

    Raises Removed where the system is gone.
    """
    assert output_set.pk is not None, "no system"
    ids = _scorable(inputs, output_set, choice)
    if not ids:
        _remove(inputs, MetricScore.objects.filter(system_id=output_set.pk, metric=choice.metric))
        return
    keyed_scores = _scored(inputs, output_set, choice, known.get((output_set.pk, choice.metric)))
    if keyed_scores is None:
        return
    key, scores = keyed_scores
    arrays = {
        "sentence_ids": ids,
        "sentences": np.asarray(scores.sentences, dtype=float).tolist(),
        "packed": np.ascontiguousarray(scores.sufficient_statistics, dtype="<f8").tobytes(),
        "width": scores.sufficient_statistics.shape[1],
    }
    with transaction.atomic():
        if System.objects.select_for_update(no_key=True).filter(pk=output_set.pk).first() is None:
            raise StudyRemoved
        _mark_report_stale(inputs)
        score = MetricScore(system_id=output_set.pk, metric=choice.metric, **_columns_of(key, scores), **arrays)
        _store(score, ["system", "metric"])


def score_baseline(inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice, known: KnownScores) -> None:
    """The same for baselines, the source and the reference, of which only the whole is kept; and the contrast set."""
    if not _scorable(inputs, output_set, choice):
        stored = BaselineScore.objects.filter(study=inputs.study, baseline=output_set.name, metric=choice.metric)
        _remove(inputs, stored)
        return
    keyed_scores = _scored(inputs, output_set, choice, known.get((output_set.name, choice.metric)))
    if keyed_scores is not None:
        columns = _columns_of(*keyed_scores)
        if isinstance(inputs, ContrastInputs):
            ids = inputs.ids(output_set, METRICS[choice.metric].needs)
            columns["details"] = inputs.details_of(ids, keyed_scores[1])
        _mark_report_stale(inputs)
        score = BaselineScore(study=inputs.study, baseline=output_set.name, metric=choice.metric, **columns)
        _store(score, ["study", "baseline", "metric"])


def _store(score: MetricScore | BaselineScore, named_by: list[str]) -> None:
    """Insert it, or put it in the place of the one of that name, by one statement."""
    kept = ("id", "made_at", *named_by)
    columns = [field.name for field in score._meta.concrete_fields if field.name not in kept]
    rows: QuerySet[Any] = type(score)._default_manager.all()
    rows.bulk_create([score], update_conflicts=True, unique_fields=named_by, update_fields=columns)


def _mark_report_stale(inputs: ScoringInputs) -> None:
    """The stored report holds no longer. Said before a score changes: work may be killed between the two."""
    Report.objects.filter(study=inputs.study).update(key="")


def _remove(inputs: ScoringInputs, stored: QuerySet[Any]) -> None:
    if stored.exists():
        _mark_report_stale(inputs)
        stored.delete()


def _scorable(inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice) -> list[int]:
    """The units that the metric can score; none where it would hold references against themselves."""
    needs = METRICS[choice.metric].needs
    return [] if REFERENCES in needs and output_set.are_references else inputs.ids(output_set, needs)


def _scored(
    inputs: ScoringInputs, output_set: OutputSet, choice: MetricChoice, known: tuple[str, str] | None
) -> tuple[str, Scores] | None:
    """The key and the scores; None where those that are stored hold. A run that fails is tried again the next time.

    One metric's failure, as of a model whose file is broken, takes no other's scores and no report.
    """
    metric = METRICS[choice.metric]
    try:
        why, signature = inputs.signature(choice)
        if not why:
            parts = [CONTRACT, signature, *inputs.digest(output_set, metric.needs)]
            key = hashlib.sha256(orjson.dumps(parts)).hexdigest()
            if known and key == known[0]:
                return None
            return key, metric.score(inputs.metric_input(output_set, metric.needs), **choice.settings)
    except UserError as error:
        why = str(error)
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("%s of %s", choice.metric, output_set.name)
        said = " ".join(str(error).replace("\0", "").encode("utf-8", "replace").decode().split())
        why = f"It stopped at an error of the program: {type(error).__name__}: {said}"
    if known == ("", why[:LONGEST]):
        return None
    return "", no_scores(len(inputs.ids(output_set, metric.needs)), why)


def _columns_of(key: str, scores: Scores) -> dict[str, Any]:
    return {
        "key": key,
        "signature": scores.signature,
        "corpus": scores.corpus,
        "undefined": scores.undefined[:LONGEST],
        "details": scores.details,
    }
