"""What a study has to train a metric on."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import numpy as np
from django.db.models import Exists, OuterRef

from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.models import DocumentSentence, Reference, Sentence, Study
from evaluation.learned_scorers.training_material import Part, TrainingMaterial
from evaluation.snapshot_builder.bracketed_terms import without_brackets
from evaluation.snapshot_builder.build import StudyReading
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.text_keys import text_key

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
    )
    return _reused_where_equal(material)


_latest: list[TrainingMaterial] = []


def _reused_where_equal(material: TrainingMaterial) -> TrainingMaterial:
    """The last material of this process where it is the same: what was trained on it is not trained again."""
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
    """The texts behind keys: case counts where formality is learnt, so what stands nowhere in the study is left out."""
    units = texts.units
    by_key: dict[tuple[int, str], str] = {}
    for place, (home, source, references) in enumerate(zip(units.home.tolist(), units.sources, units.references)):  # noqa: B905
        outputs = [row.outputs[place] for row in texts.rows]
        for text in (source, *references, *outputs):
            if text:
                by_key.setdefault((home, text_key(text)), text)
                by_key.setdefault((place, text_key(text)), text)
    return by_key
