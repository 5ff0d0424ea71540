"""Grouped gold written into a study: new sources, and references in their sets. What is held out stays out."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Max

from annotation.gold.adoption.grouped_rows import GroupedGold, ReferenceLine, Source
from corpora.actions.add_direction import add_direction
from corpora.database import copy_rows
from corpora.models import Direction, DocumentSentence, Reference, ReferenceSet, Sentence, Study
from corpora.splits import HeldOut
from corpora.texts.columns import plain

STEPS = ("rephrased", "simplified", "rephrased, to the patient", "simplified, to the patient")


Placed = tuple[Direction, Source]
Written = Callable[[Iterable[tuple[int, ReferenceLine]]], None]


@dataclass
class WrittenTexts:
    """What was written: new sources by direction and split, the reference sets and how many references they hold.

    `left_out` counts texts that are held out, by where they stand. `sentences` has the sentences with a reference by
    set. `new_sentences` are (key of the sentence, key of the source); `in_use` are all sentences that the gold is.
    """

    sources: Counter[tuple[str, str]] = field(default_factory=Counter)
    sets: list[ReferenceSet] = field(default_factory=list)
    references: int = 0
    sentences: dict[int, set[int]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    new_sentences: list[tuple[int, str]] = field(default_factory=list)
    in_use: set[int] = field(default_factory=set)


def write_texts(
    study: Study,
    gold: GroupedGold,
    origin: str,
    *,
    known: Mapping[tuple[int, str], int] | None = None,
    written: Written = lambda rows: None,
) -> WrittenTexts:
    """Write the sources and references of grouped gold, within the caller's transaction.

    Args:
        study: The study that they become texts of.
        gold: The sources, and what is held out from training.
        origin: The beginning of the names of the reference sets.
        known: Sentences that were made of gold before, by (key of the direction, key of the source).
        written: Is told the key of each reference that is new or changed, with whose it is.
    """
    texts = WrittenTexts()
    directions = _directions(study, gold.sources)
    placed = [(directions[source.styles], source) for source in gold.sources if source.styles in directions]
    _find_sentences(placed, known or {})
    free = _not_held_out(study, gold, placed, texts.left_out)
    for direction in directions.values():
        own = [source for home, source in free if home == direction]
        if own:
            _add_sentences(direction, own, texts)
            _add_references(direction, own, origin, texts, written)
    return texts


def _directions(study: Study, sources: Sequence[Source]) -> dict[tuple[str, str], Direction]:
    """Those that the sources need. The way back of pairs is made in a study without a direction alone, that of rewrites
    to train on never: it is for a study that has that direction."""
    directions = {(direction.source_style, direction.target_style): direction for direction in study.directions.all()}
    needed = ("",) if directions else ("", "pair")
    for source in sources:
        if source.styles not in directions and source.back in needed:
            directions[source.styles] = add_direction(
                study=study, source_style=source.styles[0], target_style=source.styles[1]
            )
    return directions


def _find_sentences(placed: Sequence[Placed], known: Mapping[tuple[int, str], int]) -> None:
    """Say of each source which sentence it is already, and of a document's sentence which one it comes from."""
    documents = {source.document for _, source in placed if source.document and source.part != ""}
    parts = DocumentSentence.objects.filter(document__in=documents).values_list("document", "number", "pk")
    origins: dict[tuple[int, int | str], int] = {(document, number): pk for document, number, pk in parts.iterator()}
    for _, source in placed:
        if source.part != "" and source.document:
            origin = origins.get((source.document, source.part))
            source.ids = (origin,) if origin else ()
    homes = {direction.pk for direction, _ in placed}
    rows = Sentence.objects.filter(direction__in=homes, origin__isnull=False)
    fields = rows.values_list("direction_id", "origin_id", "text", "pk")
    selected = {(direction, origin, text): pk for direction, origin, text, pk in fields.iterator()}
    for direction, source in placed:
        if source.sentence is None:
            source.sentence = known.get((direction.pk, source.key))
        if source.sentence is None and len(source.ids) == 1:
            source.sentence = selected.get((direction.pk, source.ids[0], source.text))


def _not_held_out(study: Study, gold: GroupedGold, placed: Sequence[Placed], left_out: Counter[str]) -> list[Placed]:
    """Those that are not held out, without their references that are. A sentence keeps the split that it has."""
    held_out = _held_out(study, gold, placed)
    free: set[int] = set()
    for split in ("train", "tune", "test"):
        own = [pair for pair in placed if pair[1].split == split]
        new = (pair for pair in own if pair[1].sentence is None)
        present = [pair for pair in own if pair[1].sentence is not None]
        free |= {
            id(source) for _, source in [*present, *held_out.free(split, new, lambda pair: [pair[1].text], left_out)]
        }
        references = (
            (source, set_name, reference)
            for _, source in own
            if id(source) in free
            for set_name, reference in source.references.items()
        )
        taken = held_out.free(split, references, lambda row: [plain(row[2].text, row[2].marks)], left_out)
        free_references = {(id(source), set_name) for source, set_name, _ in taken}
        for _, source in own:
            source.references = {
                set_name: reference
                for set_name, reference in source.references.items()
                if (id(source), set_name) in free_references
            }
    return [pair for pair in placed if id(pair[1]) in free]


def _held_out(study: Study, gold: GroupedGold, placed: Sequence[Placed]) -> HeldOut:
    """What is held out from training once these sources are in the study."""
    splits = dict(Sentence.objects.filter(direction__study=study).values_list("pk", "split"))
    held_out = HeldOut(study)
    for _, source in placed:
        source.split = splits.get(source.sentence, source.split) if source.sentence else source.split
        references = (plain(reference.text, reference.marks) for reference in source.references.values())
        held_out.add(source.split, [source.text, *references])
    for split, text in gold.held_out:
        held_out.add(split, [text])
    return held_out


def _add_sentences(direction: Direction, sources: Sequence[Source], texts: WrittenTexts) -> None:
    new = [source for source in sources if source.sentence is None]
    last = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    rows = (
        (direction.pk, number, source.text, source.split, source.domain,
         source.ids[0] if len(source.ids) == 1 else None)
        for number, source in enumerate(new, last + 1)
    )  # fmt: skip
    copy_rows(Sentence, ["direction", "number", "text", "split", "domain", "origin"], rows)
    keys = direction.sentences.filter(number__gt=last).order_by("number").values_list("pk", flat=True)
    for source, pk in zip(new, keys, strict=True):
        source.sentence = pk
        texts.new_sentences.append((pk, source.key))
        texts.sources[direction.name, source.split] += 1
    texts.in_use.update(source.sentence for source in sources if source.sentence)


def _add_references(
    direction: Direction, sources: Sequence[Source], origin: str, texts: WrittenTexts, written: Written
) -> None:
    by_set: dict[str, dict[int, ReferenceLine]] = {}
    for source in sources:
        for set_name, reference in source.references.items():
            by_set.setdefault(set_name, {})[source.sentence or 0] = reference
    for set_name in sorted(by_set, key=_set_order):
        references = by_set[set_name]
        marks = next(iter(references.values())).marks
        reference_set = _reference_set(direction, f"{origin}, {set_name}"[:200], marks)
        texts.sets.append(reference_set)
        texts.references += len(references)
        texts.sentences[reference_set.pk] = set(references)
        _write_set(reference_set, references, written)


def _set_order(set_name: str) -> tuple[int, int, str]:
    name, _, number = set_name.rpartition(" ")
    if set_name in STEPS:
        return 0, STEPS.index(set_name), ""
    return 1, int(number) if number.isdecimal() else 0, name


def _reference_set(direction: Direction, origin: str, marks: str) -> ReferenceSet:
    reference_set = direction.reference_sets.filter(origin=origin).first()
    if reference_set:
        return reference_set
    last = direction.reference_sets.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else last + 1
    return ReferenceSet.objects.create(direction=direction, number=number, origin=origin, marks=marks)


def _write_set(reference_set: ReferenceSet, references: Mapping[int, ReferenceLine], written: Written) -> None:
    """Only what is new or another is written, so that what stands keeps its key and all that is said about it."""
    stored = dict(Reference.objects.filter(set=reference_set).values_list("sentence_id", "text"))
    changed = [pk for pk, line in references.items() if pk in stored and stored[pk] != line.text]
    Reference.objects.filter(set=reference_set, sentence__in=changed).delete()
    fresh = {pk: line for pk, line in references.items() if stored.get(pk) != line.text}
    copy_rows(Reference, ["set", "sentence", "text"], ((reference_set.pk, pk, line.text) for pk, line in fresh.items()))
    keys = Reference.objects.filter(set=reference_set).values_list("sentence_id", "pk") if fresh else ()
    written([(pk, fresh[sentence]) for sentence, pk in keys if sentence in fresh])
