"""The choice of sentences of documents as sources of a direction, with the reasons to leave others out."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from corpora.fields import SelectionFields
from corpora.knowledge.formality import scorer
from corpora.models import Direction, DocumentSentence, Sentence
from corpora.selection_rules import REASONS, SELECTIONS
from corpora.splits import HELD_FROM, HeldOut
from foundation.errors import UserError
from foundation.seeds import generator

BATCH = 1000
AT_ONCE = 20_000  # sentences that a request goes through by itself; of more, a job selects
# Reasons to leave a sentence out, beside those of the rules: the key that is counted, and the words for people.
LABELS = {
    **REASONS,
    "held": "It is held back for its flags",
    "dropped": "It was dropped",
    "taken": "It is a source already",
    "held_out": "It stands in a tune or test split",
    "not_drawn": "It was not drawn",
}


@dataclass(frozen=True)
class SelectionCriteria(SelectionFields):
    """The criteria of a selection: a rule with its settings, the documents, and how many by which seed (None: all)."""

    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """The keys of the sentences to take, in the order of the documents, and the others by reason, a key of LABELS."""

    taken: list[int]
    left: Counter[str]

    @property
    def seen(self) -> int:
        return len(self.taken) + self.left.total()


def choose_sentences(
    direction: Direction,
    wish: SelectionCriteria,
    step: Callable[[int], object] = lambda done: None,
    split: str = Sentence.Split.TEST,
) -> Choice:
    """Go through the documents of the direction's source style; a UserError where there are fewer than the sample.

    `step` hears how many sentences are gone through; `split` takes the sentences whose document has none. A sentence
    that is held out of its split is left out.
    """
    left: Counter[str] = Counter()
    kept = list(_kept(direction, wish, left, step, split))
    if wish.sample is None:
        return Choice(kept, +left)
    if not 1 <= wish.sample <= len(kept):
        raise UserError(
            "There are {kept_count:,} sentences to sample from; choose 1 to {kept_count:,}.",
            kept_count=len(kept),
            where="sample",
        )
    drawn = generator(wish.seed, "sources", direction.name).permutation(len(kept))[: wish.sample]
    left["not_drawn"] = len(kept) - wish.sample
    return Choice([kept[place] for place in sorted(drawn)], +left)


def _kept(
    direction: Direction, wish: SelectionCriteria, left: Counter[str], step: Callable[[int], object], split: str
) -> Iterator[int]:  # fmt: skip
    selection = SELECTIONS[wish.rule]
    judge = selection.judge(selection.check_settings(wish.settings))
    scored = scorer() if selection.needs_formality else None
    rows = sentences_of(direction, wish).annotate(
        taken=Exists(Sentence.objects.filter(direction=direction, origin=OuterRef("pk")))
    )
    fields = "pk", "text", "held", "dropped", "taken", "document__split"
    listed = rows.order_by("document__number", "number").values_list(*fields)
    held_out: HeldOut | None = None
    every = listed.iterator(chunk_size=BATCH)
    done = 0
    while batch := list(islice(every, BATCH)):
        done += len(batch)
        step(done)
        free = [(pk, text, own or split) for pk, text, *reasons, own in batch if not any(reasons)]
        for reason, place in (("held", 2), ("dropped", 3), ("taken", 4)):
            left[reason] += sum(row[place] and not any(row[2:place]) for row in batch)
        scores = scored.scores([text for _, text, _ in free]) if scored else [None] * len(free)
        kept: dict[str, list[tuple[int, str]]] = {}
        order: list[int] = []
        for (pk, text, into), score in zip(free, scores, strict=True):
            verdict = judge(text, score)
            if verdict.kept:
                order.append(pk)
                kept.setdefault(into, []).append((pk, text))
            else:
                left[verdict.why] += 1
        if held_out is None and not HELD_FROM.keys().isdisjoint(kept):
            held_out = HeldOut(direction.study)
        barred = _barred(held_out, kept)
        left["held_out"] += len(barred)
        yield from (pk for pk in order if pk not in barred)


def _barred(held_out: HeldOut | None, kept: Mapping[str, list[tuple[int, str]]]) -> set[int]:
    """The keys of the sentences that are held out of the split into which they would come."""
    if held_out is None:
        return set()
    found = ((rows, held_out.places(into, [text for _, text in rows])) for into, rows in kept.items())
    return {pk for rows, places in found for (pk, _), place in zip(rows, places, strict=True) if place}


def sentences_of(direction: Direction, wish: SelectionCriteria) -> QuerySet[DocumentSentence]:
    """The sentences of the documents that the criteria select."""
    rows = DocumentSentence.objects.filter(
        document__study=direction.study_id, document__style=direction.source_style
    )  # fmt: skip
    for name in ("domain", "topic"):
        if value := getattr(wish, name):
            rows = rows.filter(**{f"document__{name}": value})
    if wish.question:
        rows = rows.filter(document__question__code=wish.question)
    return rows.filter(document__chosen=True) if wish.chosen else rows
