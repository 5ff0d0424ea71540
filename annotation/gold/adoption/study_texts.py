"""Gathered gold written into a study: new sources, and references in their sets. What is held out stays out."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Max

from annotation.gold.adoption.grouped_rows import GroupedGold, ReferenceLine, Source
from corpora.actions.add_direction import add_direction
from corpora.bulk import copy_rows
from corpora.heldout import HeldOut
from corpora.material import plain
from corpora.models import Direction, DocumentSentence, Reference, ReferenceSet, Sentence, Study

STEPS = ("rephrased", "simplified", "rephrased, to the patient", "simplified, to the patient")


@dataclass
class WrittenTexts:
    """What came of it: new sources by direction and split, the sets, how many references stand in them, what was left
    out by where it stands. `lanes` are the sentences with a reference by set, `made` the new sentences with their keys,
    `standing` all sentences that the gold is or has."""

    sources: Counter[tuple[str, str]] = field(default_factory=Counter)
    sets: list[ReferenceSet] = field(default_factory=list)
    references: int = 0
    lanes: dict[int, set[int]] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=Counter)
    made: list[tuple[int, str]] = field(default_factory=list)
    standing: set[int] = field(default_factory=set)


def write_texts(
    study: Study,
    gold: GroupedGold,
    origin: str,
    *,
    known: Mapping[tuple[int, str], int] | None = None,
    written: Callable[[Iterable[tuple[int, ReferenceLine]]], None] = lambda rows: None,
) -> WrittenTexts:
    """Write them, within the caller's transaction.

    `known` are sentences that were made of gold before, by direction and key; `written` hears the key of each reference
    that is new or changed, with whose it is.
    """
    settled = WrittenTexts()
    directions = _directions(study, gold.sources)
    placed = [(directions[source.styles], source) for source in gold.sources if source.styles in directions]
    _find_there(placed, known or {})
    free = _free(study, gold, placed, settled.left)
    for direction in directions.values():
        own = [one for home, one in free if home == direction]
        if own:
            _add(direction, own, settled)
            _refer(direction, own, origin, settled, written)
    return settled


def _directions(study: Study, sources: Sequence[Source]) -> dict[tuple[str, str], Direction]:
    """Those that the sources need. The way back of pairs is made in a study without a direction alone, that of rewrites
    to train on never: it is for a study that has that direction."""
    there = {(direction.source_style, direction.target_style): direction for direction in study.directions.all()}
    needed = ("",) if there else ("", "pair")
    for source in sources:
        if source.styles not in there and source.back in needed:
            there[source.styles] = add_direction(
                study=study, source_style=source.styles[0], target_style=source.styles[1]
            )
    return there


def _find_there(placed: Sequence[tuple[Direction, Source]], known: Mapping[tuple[int, str], int]) -> None:
    """Say of each source which sentence it is already, and of a document's sentence which one it comes from."""
    documents = {one.document for _, one in placed if one.document and one.part != ""}
    parts = DocumentSentence.objects.filter(document__in=documents).values_list("document", "number", "pk")
    origins = {(document, number): pk for document, number, pk in parts.iterator()}
    for _, one in placed:
        if one.part != "" and one.document:
            origin = origins.get((one.document, one.part))
            one.ids = (origin,) if origin else ()
    homes = {direction.pk for direction, _ in placed}
    rows = Sentence.objects.filter(direction__in=homes, origin__isnull=False)
    fields = rows.values_list("direction_id", "origin_id", "text", "pk")
    selected = {(direction, origin, text): pk for direction, origin, text, pk in fields.iterator()}
    for direction, one in placed:
        if one.sentence is None:
            one.sentence = known.get((direction.pk, one.key))
        if one.sentence is None and len(one.ids) == 1:
            one.sentence = selected.get((direction.pk, one.ids[0], one.text))


def _free(
    study: Study, gold: GroupedGold, placed: Sequence[tuple[Direction, Source]], left: Counter[str]
) -> list[tuple[Direction, Source]]:
    """Those that are not held out, without their references that are. A sentence keeps the split that it has."""
    splits = dict(Sentence.objects.filter(direction__study=study).values_list("pk", "split"))
    held = HeldOut(study)
    for _, one in placed:
        one.split = splits.get(one.sentence, one.split) if one.sentence else one.split
        held.add(one.split, [one.text, *(plain(line.text, line.marks) for line in one.lines.values())])
    for split, text in gold.held:
        held.add(split, [text])
    kept: set[int] = set()
    for split in ("train", "tune", "test"):
        own = [pair for pair in placed if pair[1].split == split]
        new = (pair for pair in own if pair[1].sentence is None)
        there = [pair for pair in own if pair[1].sentence is not None]
        kept |= {id(pair[1]) for pair in [*there, *held.free(split, new, lambda pair: [pair[1].text], left)]}
        lines = ((one, lane, line) for _, one in own if id(one) in kept for lane, line in one.lines.items())
        taken = held.free(split, lines, lambda row: [plain(row[2].text, row[2].marks)], left)
        free = {(id(one), lane) for one, lane, _ in taken}
        for _, one in own:
            one.lines = {lane: line for lane, line in one.lines.items() if (id(one), lane) in free}
    return [pair for pair in placed if id(pair[1]) in kept]


def _add(direction: Direction, sources: Sequence[Source], settled: WrittenTexts) -> None:
    new = [source for source in sources if source.sentence is None]
    last = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    rows = (
        (direction.pk, number, one.text, one.split, one.domain, one.ids[0] if len(one.ids) == 1 else None)
        for number, one in enumerate(new, last + 1)
    )
    copy_rows(Sentence, ["direction", "number", "text", "split", "domain", "origin"], rows)
    keys = direction.sentences.filter(number__gt=last).order_by("number").values_list("pk", flat=True)
    for one, pk in zip(new, keys, strict=True):
        one.sentence = pk
        settled.made.append((pk, one.key))
        settled.sources[direction.name, one.split] += 1
    settled.standing.update(source.sentence for source in sources if source.sentence)


def _refer(
    direction: Direction,
    sources: Sequence[Source],
    origin: str,
    settled: WrittenTexts,
    written: Callable[[Iterable[tuple[int, ReferenceLine]]], None],
) -> None:
    lanes: dict[str, dict[int, ReferenceLine]] = {}
    for source in sources:
        for lane, line in source.lines.items():
            lanes.setdefault(lane, {})[source.sentence or 0] = line
    for lane in sorted(lanes, key=_order):
        marks = next(iter(lanes[lane].values())).marks
        kept = _set(direction, f"{origin}, {lane}"[:200], marks)
        settled.sets.append(kept)
        settled.references += len(lanes[lane])
        settled.lanes[kept.pk] = set(lanes[lane])
        _write(kept, lanes[lane], written)


def _order(lane: str) -> tuple[int, int, str]:
    name, _, number = lane.rpartition(" ")
    if lane in STEPS:
        return 0, STEPS.index(lane), ""
    return 1, int(number) if number.isdecimal() else 0, name


def _set(direction: Direction, origin: str, marks: str) -> ReferenceSet:
    there = direction.reference_sets.filter(origin=origin).first()
    if there:
        return there
    last = direction.reference_sets.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else last + 1
    return ReferenceSet.objects.create(direction=direction, number=number, origin=origin, marks=marks)


def _write(
    kept: ReferenceSet,
    lines: Mapping[int, ReferenceLine],
    written: Callable[[Iterable[tuple[int, ReferenceLine]]], None],
) -> None:
    """Only what is new or another is written, so that what stands keeps its key and all that is said about it."""
    there = dict(Reference.objects.filter(set=kept).values_list("sentence_id", "text"))
    changed = [pk for pk, line in lines.items() if pk in there and there[pk] != line.text]
    Reference.objects.filter(set=kept, sentence__in=changed).delete()
    fresh = {pk: line for pk, line in lines.items() if there.get(pk) != line.text}
    copy_rows(Reference, ["set", "sentence", "text"], ((kept.pk, pk, line.text) for pk, line in fresh.items()))
    keys = Reference.objects.filter(set=kept).values_list("sentence_id", "pk") if fresh else ()
    written([(pk, fresh[sentence]) for sentence, pk in keys if sentence in fresh])
