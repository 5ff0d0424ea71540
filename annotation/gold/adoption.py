"""Gold as texts of a study: rows grouped into sources with their references, and written as sentences and sets."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Max

from corpora.actions.add_direction import add_direction
from corpora.database import copy_rows
from corpora.formats import GoldRow
from corpora.gold_records import bracketed, texts_of
from corpora.knowledge.brackets import bracketed as without_brackets
from corpora.models import Direction, DocumentSentence, Reference, ReferenceSet, Sentence, Study
from corpora.splits import HeldOut
from corpora.texts.columns import plain
from foundation.seeds import generator
from foundation.text_keys import text_digest


def held_texts(row: GoldRow) -> Iterator[str]:
    """The texts of its source and of its product, whole and sentence by sentence, none of them empty."""
    yield from (text for text in _texts(row) if text.strip())


def _texts(row: GoldRow) -> Iterator[str]:
    product = row.product
    yield from texts_of(product)
    if row.kind == "pair":
        yield from (*product["source"], *product["target"])
    elif row.kind == "two_step":
        yield product["simplified_addressed"]
        for step in ("rephrased", "rephrased_addressed"):
            yield without_brackets(bracketed(product[step]))[0]
    elif row.kind == "adaptation":
        for sentence in product["sentences"]:
            yield from (sentence["text"], " ".join(sentence["targets"]), *sentence["targets"])
    else:
        yield str(product.get("original", ""))


# A row of gold as texts of a study: sources of its directions, each with the references that somebody wrote.
#
# It is said here once, for gold that was made in campaigns and for gold that was read from a file, so that both give
# the same texts and the same figures.

BRACKETS = ReferenceSet.Marks.BRACKETS.value
STEPS = (
    ("rephrased", "rephrased"),
    ("simplified", "simplified"),
    ("rephrased_addressed", "rephrased, to the patient"),
    ("simplified_addressed", "simplified, to the patient"),
)
COUNTED = ("rewrite", "pair", "adaptation")
"""Sets that are numbered for each source: rewrite 1, rewrite 2 ... The steps of MedLane have names of their own."""
ORIGINAL = "original"
"""What a source was itself rewritten from: it becomes the last of its rewrites."""


class ReferenceText(NamedTuple):
    """A reference. `set_name` is one of STEPS, or of COUNTED, whose number is added later."""

    set_name: str
    text: str
    marks: str = ""


class SourceText(NamedTuple):
    """A source with the references that this row has for it. `key` tells it from the other sources of the direction.

    `part` is its number where it is a sentence of a document, and `ids` the keys of the documents' sentences that it is
    made of, where they are known. With `by_row` references count by the rows of the document. `back` says why it leads
    the other way too: a "pair" has no direction, and the way back is trained on the same rewrites turned round
    ("train", GYAFC section 3.1).
    """

    styles: tuple[str, str]
    key: str
    source: str
    references: tuple[ReferenceText, ...] = ()
    part: int | str = ""
    ids: tuple[int, ...] = ()
    by_row: bool = False
    back: str = ""


def source_texts(row: GoldRow) -> Iterator[SourceText]:
    """The sources that a row of gold becomes; none for a kind that is no text (labels, a screening)."""
    maker = MAKERS.get(row.kind)
    if maker:
        yield from maker(row)


def _rewrite(row: GoldRow) -> Iterator[SourceText]:
    """The original of a source that is itself a rewrite becomes its last reference: GYAFC's fourth of the way back."""
    source, original = row.product["source"], row.product.get("original", "")
    text = row.product["text"]
    references = (ReferenceText("rewrite", text), *([ReferenceText(ORIGINAL, original)] if original else []))
    yield SourceText(_styles(row), _key(row, source), source, references)
    if row.split == "train" and text and not original:
        turned = (ReferenceText("rewrite", source),)
        yield SourceText(_styles(row)[::-1], _key(row, text), text, turned, back="train")


def _pair(row: GoldRow) -> Iterator[SourceText]:
    """Nobody rewrote one of them into the other: a pair leads both ways."""
    texts = [" ".join(row.product[name]) for name in ("source", "target")]
    ids = [tuple(row.product.get(f"{name}_ids") or ()) for name in ("source", "target")]
    for side, other in ((0, 1), (1, 0)):
        styles = _styles(row) if side == 0 else _styles(row)[::-1]
        references = (ReferenceText("pair", texts[other]),)
        yield SourceText(
            styles, _key(row, texts[side]), texts[side], references, ids=ids[side], back="pair" if side else ""
        )


def _two_step(row: GoldRow) -> Iterator[SourceText]:
    """The four lines of a block, full forms in brackets; for a sentence to train on the two in plain words."""
    product = row.product
    texts = ((set_name, _with_brackets(product[name])) for name, set_name in STEPS)
    references = tuple(ReferenceText(set_name, text, BRACKETS) for set_name, text in texts if text)
    yield SourceText(_styles(row), _key(row, product["source"]), product["source"], references)


def _with_brackets(form: object) -> str:
    return bracketed(form) if isinstance(form, list) else str(form)


def _adaptation(row: GoldRow) -> Iterator[SourceText]:
    """Each sentence of the abstract; one that was dropped has no reference in this adaptation."""
    for sentence in row.product["sentences"]:
        text = " ".join(sentence["targets"])
        references = (ReferenceText("adaptation", text),) if text else ()
        key = f"{row.source_id}/{sentence['number']}"
        yield SourceText(_styles(row), key, sentence["text"], references, part=sentence["number"], by_row=True)


def _sentence(row: GoldRow) -> Iterator[SourceText]:
    """A sentence that stands for itself is a source without a reference, in the direction from its style."""
    style = row.product.get("style") or row.source_style
    styles = _styles(row) if style == row.source_style else _styles(row)[::-1]
    yield SourceText(styles, row.source_id, row.product["text"])


def _styles(row: GoldRow) -> tuple[str, str]:
    return row.source_style, row.target_style


def _key(row: GoldRow, source: str) -> str:
    """A linked group has many pairs, so its name alone tells nothing apart."""
    return f"{row.source_id}#{text_digest(source):x}"


MAKERS: Mapping[str, Callable[[GoldRow], Iterator[SourceText]]] = {
    "rewrite": _rewrite,
    "pair": _pair,
    "two_step": _two_step,
    "adaptation": _adaptation,
    "sentence": _sentence,
}

TRAIN, TUNE = "train", "tune"


class LocatedRow(NamedTuple):
    """A row with its links to this study: the sentence or the document that it is about, the answer, the people.

    `ids` is the document's sentence that a sentence standing for itself is.
    """

    row: GoldRow
    sentence: int | None = None
    document: int | None = None
    answer: int | None = None
    people: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()


class ReferenceLine(NamedTuple):
    """A reference: its text, its marks, and whose it is."""

    text: str
    marks: str
    answer: int | None
    people: tuple[int, ...]


@dataclass
class Source:
    """A source as it will be; `references` by the name of their set."""

    styles: tuple[str, str]
    key: str
    text: str
    split: str
    domain: str
    sentence: int | None = None
    document: int | None = None
    part: int | str = ""
    ids: tuple[int, ...] = ()
    back: str = ""
    references: dict[str, ReferenceLine] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    original: ReferenceLine | None = None

    def add_references(self, source: SourceText, located: LocatedRow, row_number: int) -> None:
        """Put a row's references into their sets; `row_number` is the row's among those of its document."""
        for set_name, text, marks in source.references:
            reference = ReferenceLine(text, marks, located.answer, located.people)
            if set_name == ORIGINAL:
                self.original = self.original or reference
                continue
            self.counts[set_name] += 1
            number = row_number if source.by_row else self.counts[set_name]
            if text:
                self.references[f"{set_name} {number}" if set_name in COUNTED else set_name] = reference

    def add_original(self) -> None:
        """Put the original of the source behind its rewrites."""
        if self.original:
            self.references[f"rewrite {self.counts['rewrite'] + 1}"] = self.original


class GroupedGold(NamedTuple):
    """`held_out` are (split, text) of the texts that the rows hold out from training, sentence by sentence."""

    sources: list[Source]
    held_out: list[tuple[str, str]]


def group_rows(rows: Iterable[LocatedRow], tune: float = 0) -> GroupedGold:
    """The sources that rows of gold become, in the order of the rows.

    Args:
        rows: Rows of gold with what the study knows of each.
        tune: How many per cent of the training sources without a reference go to the tune split (MSD takes 20). They
            are drawn by their order, so equal rows give equal splits.
    """
    sources: dict[tuple[tuple[str, str], str, str], Source] = {}
    row_counts: Counter[tuple[str, str]] = Counter()  # of one document
    held_out: list[tuple[str, str]] = []
    for located in rows:
        row = located.row
        if row.split != TRAIN:
            held_out += ((row.split, text) for text in held_texts(row))
        row_counts[row.source_id, row.split] += 1
        for text in source_texts(row):
            source = sources.setdefault((text.styles, text.key, row.split), _source(text, located))
            source.add_references(text, located, row_counts[row.source_id, row.split])
    for source in sources.values():
        source.add_original()
    ordered = list(sources.values())
    _split_unpaired(ordered, tune)
    return GroupedGold(ordered, held_out)


def _source(text: SourceText, located: LocatedRow) -> Source:
    row = located.row
    return Source(
        text.styles, text.key, text.source, row.split, row.domain,
        None if text.back or row.product.get("original") else located.sentence, located.document, text.part,
        text.ids or located.ids, text.back,
    )  # fmt: skip


def _split_unpaired(sources: list[Source], tune: float) -> None:
    unpaired: dict[tuple[str, str], list[Source]] = {}
    for source in sources if tune else ():
        if source.split == TRAIN and not source.references:
            unpaired.setdefault(source.styles, []).append(source)
    for styles, listed in unpaired.items():
        order = generator(1, "tune", *styles).permutation(len(listed))
        for place in order[: round(len(listed) * tune / 100)]:
            listed[place].split = TUNE


SETS_OF_STEPS = ("rephrased", "simplified", "rephrased, to the patient", "simplified, to the patient")


Placed = tuple[Direction, Source]
Written = Callable[[Iterable[tuple[int, ReferenceLine]]], None]


@dataclass
class WrittenTexts:
    """The written texts: new sources by direction and split, the reference sets and how many references they hold.

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

    They become texts of `study`. `gold` holds the sources, and the texts held out from training. `origin` begins the
    names of the reference sets. `known` are sentences that were made of gold before, by (key of the direction, key of
    the source). `written` is told the key of each reference that is new or changed, with its people.
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
    """The directions that the sources need.

    The way back of pairs is made only in a study without a direction. The way back of rewrites to train on is never
    made: it is for a study that has that direction.
    """
    directions = {(direction.source_style, direction.target_style): direction for direction in study.directions.all()}
    needed = ("",) if directions else ("", "pair")
    for source in sources:
        if source.styles not in directions and source.back in needed:
            directions[source.styles] = add_direction(
                study=study, source_style=source.styles[0], target_style=source.styles[1]
            )
    return directions


def _find_sentences(placed: Sequence[Placed], known: Mapping[tuple[int, str], int]) -> None:
    """Find the sentence that each source is already, and the sentence that a document's sentence comes from."""
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
    """The sources that are not held out, without held-out references. A sentence keeps the split that it has."""
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
    """The texts held out from training once these sources are in the study."""
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
    if set_name in SETS_OF_STEPS:
        return 0, SETS_OF_STEPS.index(set_name), ""
    return 1, int(number) if number.isdecimal() else 0, name


def _reference_set(direction: Direction, origin: str, marks: str) -> ReferenceSet:
    reference_set = direction.reference_sets.filter(origin=origin).first()
    if reference_set:
        return reference_set
    last = direction.reference_sets.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else last + 1
    return ReferenceSet.objects.create(direction=direction, number=number, origin=origin, marks=marks)


def _write_set(reference_set: ReferenceSet, references: Mapping[int, ReferenceLine], written: Written) -> None:
    """Write only new or changed references, so that the others keep their key and all that refers to it."""
    stored = dict(Reference.objects.filter(set=reference_set).values_list("sentence_id", "text"))
    changed = [pk for pk, line in references.items() if pk in stored and stored[pk] != line.text]
    Reference.objects.filter(set=reference_set, sentence__in=changed).delete()
    fresh = {pk: line for pk, line in references.items() if stored.get(pk) != line.text}
    copy_rows(Reference, ["set", "sentence", "text"], ((reference_set.pk, pk, line.text) for pk, line in fresh.items()))
    keys = Reference.objects.filter(set=reference_set).values_list("sentence_id", "pk") if fresh else ()
    written([(pk, fresh[sentence]) for sentence, pk in keys if sentence in fresh])
